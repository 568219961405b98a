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

export interface BuiltAsset {
  path: string
  /** A hash for subresource integrity. Absent in development. */
  integrity?: string
}

export interface BuiltAssets {
  entry: BuiltAsset
  styles: BuiltAsset[]
  /** Everything that the entry and a page's modules import, so browsers can load it together. */
  preloads: (modulePaths: string[]) => BuiltAsset[]
  /** The inline script of each page. */
  firstScript: string
  /** Development only: the build tool's part of the head. */
  headExtra?: string
}

export function builtAssets(clientFolder: string): BuiltAssets {
  const read = (name: string) => readFileSync(join(clientFolder, name), 'utf8')
  const manifest: Record<string, Chunk> = JSON.parse(read('.vite/manifest.json'))
  const { files: digests }: { files: Record<string, string> } = JSON.parse(read('build-info.json'))
  const asset = (file = ''): BuiltAsset => ({ path: `/${file}`, integrity: digests[`/${file}`] })
  const entryKey = 'app/main.client.tsx'
  // Cached, because every rendered page needs these files and they never change.
  const filesOfScreens = new Map<string, BuiltAsset[]>()
  const firstFile = manifest['app/kit/ui/first-script.js']?.file ?? ''
  return {
    entry: asset(manifest[entryKey]?.file),
    styles: [...chunksOf(manifest, [entryKey])].flatMap(({ css = [] }) => css.map(asset)),
    preloads: (modulePaths) => {
      const screen = modulePaths.join(' ')
      let files = filesOfScreens.get(screen)
      if (!files) {
        const [, ...others] = chunksOf(manifest, [entryKey, ...modulePaths])
        files = others.map(({ file }) => asset(file))
        filesOfScreens.set(screen, files)
      }
      return files
    },
    firstScript: read(firstFile),
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
