/** How much JavaScript each screen loads before it is alive: from the build's manifest, no browser needed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  imports?: string[]
}

const client = fileURLToPath(new URL('../dist/client/', import.meta.url))

export interface ScreenWeight {
  /** As its file is called: companies/company. */
  screen: string
  bytes: number
  files: number
}

/**
 * The entry, the screen's module, and what both import at once: what the page's head asks for. What
 * comes on demand later is not in it.
 */
export function screenWeights(): ScreenWeight[] {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(client, '.vite/manifest.json'), 'utf8'),
  )
  const entry = 'app/main.client.tsx'
  return Object.keys(manifest).flatMap((module) => {
    const [, screen, kind] = /^app\/(.*)\.(screen|tab)\.tsx$/.exec(module) ?? []
    if (!screen) return []
    const files = chunksOf(manifest, module, chunksOf(manifest, entry))
    // A tab stands in the screen that its name begins with.
    const around = screen.replace(/-[a-z]+$/, '.screen.tsx')
    if (kind === 'tab') chunksOf(manifest, `app/${around}`, files)
    return {
      screen,
      bytes: [...files].reduce((sum, file) => sum + gzipped(file), 0),
      files: files.size,
    }
  })
}

function chunksOf(manifest: Record<string, Chunk>, key: string, found = new Set<string>()) {
  const chunk = manifest[key]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const next of chunk.imports ?? []) chunksOf(manifest, next, found)
  return found
}

const sizes = new Map<string, number>()
function gzipped(file: string) {
  const known = sizes.get(file) ?? gzipSync(readFileSync(join(client, file))).length
  sizes.set(file, known)
  return known
}
