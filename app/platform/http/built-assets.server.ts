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

export interface BuiltAssets {
  entry: string
  styles: string[]
  /** Everything that the entry and a page's modules import, to load at once. */
  preloads: (modulePaths: string[]) => string[]
  /** The inline script of each page. */
  firstScript: string
  /** Development only: the build tool's part of the head. */
  headExtra?: string
}

export function builtAssets(clientFolder: string): BuiltAssets {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8'),
  )
  const entryKey = 'app/main.client.tsx'
  // Needed for each rendered page, and constant.
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

function chunksOf(manifest: Record<string, Chunk>, keys: string[], found = new Set<Chunk>()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || found.has(chunk)) continue
    found.add(chunk)
    chunksOf(manifest, chunk.imports ?? [], found)
  }
  return found
}
