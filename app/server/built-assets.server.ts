/** Which files the build made, read once from its manifest. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/** Addresses for the head of every page. */
export interface BuiltAssets {
  entry: string
  styles: string[]
  fonts: string[]
  /** What the entry and a page's modules import, so that all of it loads at once. */
  preloads: (modulePaths: string[]) => string[]
  themeScript: string
  /** Only in development: what the build tool wants in the head. */
  headExtra?: string
}

export function builtAssets(clientFolder: string): BuiltAssets {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8'),
  )
  const entryKey = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? ''
  const all = Object.values(manifest)
  const theme = readFileSync(join(clientFolder, 'theme.js'))
  return {
    entry: `/${manifest[entryKey]?.file}`,
    styles: (manifest[entryKey]?.css ?? []).map((file) => `/${file}`),
    fonts: all
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.woff2'))
      .map((file) => `/${file}`),
    preloads: (modulePaths) => {
      const files = filesOf(manifest, entryKey)
      for (const path of modulePaths) filesOf(manifest, path, files)
      return [...files].slice(1)
    },
    // Named by its content, so that browsers may keep it for ever.
    themeScript: `/theme.js?v=${createHash('sha256').update(theme).digest('hex').slice(0, 8)}`,
  }
}

/** A chunk's file and those of its static imports. */
function filesOf(manifest: Record<string, Chunk>, key: string, found = new Set<string>()) {
  const chunk = manifest[key]
  if (!chunk || found.has(`/${chunk.file}`)) return found
  found.add(`/${chunk.file}`)
  for (const next of chunk.imports ?? []) filesOf(manifest, next, found)
  return found
}
