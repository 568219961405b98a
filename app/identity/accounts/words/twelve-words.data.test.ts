/** Twelve words among other text. */
import { expect, test } from 'vitest'
import { bitsOfWords, wordsOfBits } from './twelve-words.data.ts'

const bits = new Uint8Array(16).fill(0x7f)
const words = wordsOfBits(bits).join(' ')

test('a file that says more is read by its line of words', () => {
  expect(bitsOfWords(`Whoever has these twelve words\n\n${words}\n`)).toEqual({ bits })
  expect(bitsOfWords(`Whoever has these twelve words ${words}`)).toEqual({
    problem: "You've entered 17 of 12 words",
  })
})
