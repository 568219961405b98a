import { expect, test } from 'vitest'
import { readsLike } from './ui/finder-results.ts'

test.each([
  ['Privacy Policy', 'priv', true],
  ['Privacy Policy', 'pol priv', true],
  ['Privacy Policy', 'ivacy', false],
  ['Switch to dark mode', 'dárk', true],
  ['Settings', '', true],
  ['Settings', '  ', true],
  ['Settings', '???', false],
  ['Settings', 'settings now', false],
])('"%s" reads like "%s": %s', (name, typed, reads) => expect(readsLike(name, typed)).toBe(reads))
