/** Twelve words among other text. */
import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import {
  bitsOfWords,
  readWords,
  visitorWordsFile,
  wordsOfBits,
  wordsOfId,
} from './twelve-words.data.ts'

const bits = new Uint8Array(16).fill(0x7f)
const words = wordsOfBits(bits).join(' ')

test('a file with more text is read by its line of words', () => {
  expect(bitsOfWords(`Whoever has these twelve words\n\n${words}\n`)).toEqual({ bits })
  expect(bitsOfWords(`Whoever has these twelve words ${words}`)).toEqual({
    problem: 'You’ve entered 17 of 12 words',
  })
})

/** A visitor's secret, in words and back. */
const ID = 'anon-7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f'
/** Of the standard's own test vectors. */
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

test('a secret is twelve words of the standard list', () => {
  expect(wordsOfId(ID).join(' ')).toBe(WORDS)
  expect(wordsOfId(`anon-${'0'.repeat(32)}`).join(' ')).toBe(`${'abandon '.repeat(11)}about`)
})

test('a secret’s words and file always lead back to it', () => {
  const secret = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => `anon-${Buffer.from(bytes).toString('hex')}`)
  fc.assert(
    fc.property(secret, (id) => {
      expect(readWords(wordsOfId(id).join(' '))).toEqual({ id })
    }),
    { seed: 45, numRuns: 200 },
  )
})

test('a secret’s file is read like its words, and its name says nothing', async () => {
  const { name, blob } = visitorWordsFile(ID, 'Samovar')
  const text = await blob.text()
  expect(text).toContain(WORDS)
  expect(readWords(text)).toEqual({ id: ID })
  expect(name).toBe('twelve-words.txt')
})

describe('what people type', () => {
  test.each([
    ['as it was shown', WORDS],
    ['in capitals', WORDS.toUpperCase()],
    [
      'a word a line, with its number',
      WORDS.split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join('\n'),
    ],
    ['with commas and blanks', `  ${WORDS.replaceAll(' ', ',  ')}\n`],
    ['the secret itself', ID],
  ])('a secret is understood %s', (_, text) => {
    expect(readWords(text)).toEqual({ id: ID })
  })

  test.each([
    ['nothing', ' \n', 'Type your twelve words, or choose the file'],
    ['a word too few', WORDS.replace('legal ', ''), 'You’ve entered 11 of 12 words'],
    [
      'a slip of the keys',
      WORDS.replace('sausage', 'sausgae'),
      '“sausgae” isn’t one of our words. Check the spelling.',
    ],
    [
      'another last word',
      WORDS.replace('yellow', 'year'),
      'These words don’t go together. Check their spelling and order.',
    ],
    ['half a secret', ID.slice(0, 20), 'You’ve entered 9 of 12 words'],
  ])('a secret that’s typed with %s is refused with a sentence', (_, text, problem) => {
    const read = readWords(text)
    if (!text.startsWith('anon')) expect(read).toEqual({ problem })
    else expect(read).toHaveProperty('problem')
  })
})
