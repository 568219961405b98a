/** Which modules that several screens load stand in one file: decided anew for each build. */
import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'

/**
 * Gzip bytes that a file costs beyond its text: imports, exports, and a compression that begins with
 * nothing. Measured here: what a page loads in thirty files weighs 5 kB more than in one.
 */
const FILE_COSTS = 120

interface SharedFile {
  /** Of those that load it before they are alive. */
  screens: Set<string>
  modules: string[]
  bytes: number
}

/**
 * By itself the build makes a file for each set of lazy files that share some modules: thirty files for
 * a page, most of a few hundred bytes. Here those become one whose union saves more than it costs the
 * screens that need only one of them, best first, until none does.
 * @param output of a build without groups
 * @param screen tells a screen's module
 * @returns groups for the build's `codeSplitting`
 */
export function sharedFiles(output: Rolldown.RolldownOutput['output'], screen: RegExp) {
  const chunks = new Map(
    output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  )
  const atOnce = reached(
    chunks,
    [...chunks.values()].filter(({ isEntry }) => isEntry),
  )
  const files = new Map<string, SharedFile>()
  for (const chunk of chunks.values()) {
    if (!screen.test(chunk.facadeModuleId ?? '')) continue
    for (const part of reached(chunks, [chunk])) {
      if (part === chunk || atOnce.has(part) || part.isDynamicEntry) continue
      const file = files.get(part.fileName) ?? {
        screens: new Set(),
        modules: part.moduleIds,
        bytes: Math.max(0, gzipSync(part.code).length - FILE_COSTS),
      }
      files.set(part.fileName, { ...file, screens: file.screens.add(chunk.fileName) })
    }
  }
  // What is taken into a group takes along what it imports: the most common first.
  return united([...files.values()])
    .toSorted((a, b) => b.screens.size - a.screens.size)
    .map(({ modules }, at) => {
      const inside = new Set(modules)
      return { name: `shared-${at}`, test: (id: string) => inside.has(id) }
    })
}

/** These and all that they import at once. */
function reached(chunks: Map<string, Rolldown.OutputChunk>, from: Rolldown.OutputChunk[]) {
  const found = new Set(from)
  for (const { imports } of found)
    for (const name of imports) {
      const next = chunks.get(name)
      if (next) found.add(next)
    }
  return found
}

function united(given: SharedFile[]): SharedFile[] {
  const files = given.filter(({ screens }) => screens.size > 1)
  for (;;) {
    const best = bestPair(files)
    if (!best) return files
    const [a, b] = best
    files.splice(files.indexOf(b), 1)
    files[files.indexOf(a)] = {
      screens: new Set([...a.screens, ...b.screens]),
      modules: [...a.modules, ...b.modules],
      bytes: a.bytes + b.bytes,
    }
  }
}

function bestPair(files: SharedFile[]) {
  let best: [SharedFile, SharedFile] | undefined
  let most = 0
  for (const [at, a] of files.entries())
    for (const b of files.slice(at + 1)) {
      const saved = savedByUniting(a, b)
      if (saved > most) [best, most] = [[a, b], saved]
    }
  return best
}

/** Gzip bytes over all screens: a file less where both are loaded, too much where only one is needed. */
function savedByUniting(a: SharedFile, b: SharedFile) {
  const both = [...a.screens].filter((screen) => b.screens.has(screen)).length
  return both * FILE_COSTS - (a.screens.size - both) * b.bytes - (b.screens.size - both) * a.bytes
}
