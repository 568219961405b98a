/** Which files the build made, read once from its manifest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  src?: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/** Addresses for the head of every page. */
export interface BuiltAssets {
  entry: string
  styles: string[]
  /** What the entry and a page's modules import, so that all of it loads at once. */
  preloads: (modulePaths: string[]) => string[]
  /** The text of the one script that stands in the page itself. */
  firstScript: string
  /** Only in development: what the build tool wants in the head. */
  headExtra?: string
}

export function builtAssets(clientFolder: string): BuiltAssets {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8'),
  )
  const entryKey = 'app/main.client.tsx'
  // Asked for with each page that is rendered, and never another answer.
  const filesOfScreens = new Map<string, string[]>()
  const firstFile = manifest['app/kit/ui/first-script.js']?.file ?? ''
  return {
    entry: `/${manifest[entryKey]?.file}`,
    styles: [...chunksOf(manifest, [entryKey])].flatMap(({ css = [] }) =>
      css.map((file) => `/${file}`),
    ),
    preloads: (modulePaths) => {
      const screen = modulePaths.join(' ')
      let files = filesOfScreens.get(screen)
      if (!files) {
        const [, ...others] = chunksOf(manifest, [entryKey, ...modulePaths])
        files = others.map(({ file }) => `/${file}`)
        filesOfScreens.set(screen, files)
      }
      return files
    },
    firstScript: readFileSync(join(clientFolder, firstFile), 'utf8').trim(),
  }
}

/** These chunks and their static imports, each once. */
function chunksOf(manifest: Record<string, Chunk>, keys: string[], found = new Set<Chunk>()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || found.has(chunk)) continue
    found.add(chunk)
    chunksOf(manifest, chunk.imports ?? [], found)
  }
  return found
}
