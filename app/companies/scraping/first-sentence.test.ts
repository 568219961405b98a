import { expect, test } from 'vitest'
import { firstSentence } from './first-sentence.ts'

test.each([
  ['Acme Corp. engages in anvils. It was founded in 1920.', 'Acme Corp. engages in anvils.'],
  ['Acme, Inc. Is a maker of anvils. It sells.', 'Acme, Inc. Is a maker of anvils.'],
  ['U.S. Steel makes steel! Really.', 'U.S. Steel makes steel!'],
  ['J. P. Morgan & Co. Holds banks. More.', 'J. P. Morgan & Co. Holds banks.'],
  ['One sentence without an end', 'One sentence without an end'],
  ['  Spaces \n and\u200b lines.  Two. ', 'Spaces and lines.'],
  ['It costs 3.5 million. Yes.', 'It costs 3.5 million.'],
  ['', ''],
])('%s', (text, first) => expect(firstSentence(text, 500)).toBe(first))

test('a long one is cut after a word', () => {
  const cut = firstSentence(`Acme makes ${'anvils and '.repeat(100)}more.`, 500)
  expect(cut.length).toBeLessThanOrEqual(500)
  expect(cut).toMatch(/ (anvils|and)…$/)
})
