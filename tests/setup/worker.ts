import { format } from 'node:util'
import { afterAll, afterEach, vi } from 'vitest'
import { onLeftOut } from '#app/platform/database/rows.server.ts'

// A stray console.error fails the test in which it happens: React says there what it dislikes. A
// test that expects one replaces console.error with vi.spyOn, which hides it from here.

const said: string[] = []
/** Files that share a process come here one after the other. */
const here = globalThis as { printError?: typeof console.error }
if (!here.printError) {
  here.printError = console.error
  // A run that was ended says nothing to its workers, and an open browser would keep them.
  process.once('disconnect', () => process.exit(1))
}
const print = here.printError

console.error = (...words: unknown[]) => {
  said.push(format(...words))
  print(...words)
}

// A row that is left out of a list would hide a mistake of ours.
onLeftOut(({ list, err }) => console.error(`Rows were left out: ${list}`, err))

function complain() {
  const lines = said.splice(0)
  if (lines.length > 0) throw new Error(`console.error was called:\n${lines.join('\n')}`)
}

afterEach(complain)
// What comes after the last test, or outside of any.
afterAll(complain)
// The next file of this process doesn't know what its last test replaced.
afterAll(() => void vi.unstubAllGlobals())
