import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutated } from './faults/mutated.ts'
import { PLANTED } from './faults/planted.ts'

test.each(PLANTED)('the fault "%s" can still be planted', (_name, file, from, _to, tests) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
  expect(existsSync(tests)).toBe(true)
})

test.each(Object.entries(mutated))(
  'the tests that should notice mutants of %s exist',
  (file, tests) => {
    for (const path of [file, ...tests]) expect(existsSync(path), path).toBe(true)
  },
)
