import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { access } from './faults/access.ts'
import { anonymity } from './faults/anonymity.ts'
import { consistency } from './faults/consistency.ts'

test.each([...anonymity, ...access, ...consistency])(
  'the fault "%s" can still be planted',
  (_name, file, from, _to, tests) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
    expect(() => readFileSync(tests)).not.toThrow()
  },
)
