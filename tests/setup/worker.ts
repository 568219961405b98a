import { format } from 'node:util'
import { afterAll, afterEach, vi } from 'vitest'
import { onOmittedRows } from '#app/platform/database/rows.server.ts'

// A stray console.error fails its test, because React reports its complaints there. A test that expects one replaces
// console.error with vi.spyOn, which hides it from here.

const said: string[] = []
/** Files that share a process get here one after the other. */
const here = globalThis as { printError?: typeof console.error }
if (!here.printError) {
  here.printError = console.error
  // If a run is stopped, it doesn't tell its workers, and an open browser would keep them running.
  process.once('disconnect', () => process.exit(1))
}
const print = here.printError

console.error = (...words: unknown[]) => {
  said.push(format(...words))
  print(...words)
}

// Lists leave out rows that they can't read, which would hide a bug of ours.
onOmittedRows(({ list, err }) => console.error(`Rows were left out: ${list}`, err))

function complain() {
  const lines = said.splice(0)
  if (lines.length > 0) throw new Error(`console.error was called:\n${lines.join('\n')}`)
}

afterEach(complain)
// Catches errors after the last test, or outside of any.
afterAll(complain)
// The next file in this process doesn't know what the last test replaced.
afterAll(() => void vi.unstubAllGlobals())
