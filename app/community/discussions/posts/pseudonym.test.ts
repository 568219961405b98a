import { describe, expect, test } from 'vitest'
import { PLAIN_NAMES, PSEUDONYM_MOODS, PSEUDONYM_NOUNS, pseudonymOf } from './pseudonym.ts'

const danasSeed = '00112233445566778899aabbccddeeff'
const erinsSeed = 'ffeeddccbbaa99887766554433221100'

describe('the words of pseudonyms', () => {
  test('pseudonyms have 64 moods and 128 nouns, each once', () => {
    expect(new Set(PSEUDONYM_MOODS).size).toBe(64)
    expect(PSEUDONYM_MOODS).toHaveLength(64)
    expect(new Set(PSEUDONYM_NOUNS).size).toBe(128)
    expect(PSEUDONYM_NOUNS).toHaveLength(128)
  })

  test('a pseudonym’s word is capitalized, with at most ten letters', () => {
    for (const word of [...PSEUDONYM_MOODS, ...PSEUDONYM_NOUNS])
      expect(word).toMatch(/^[A-Z][a-z]{2,9}$/)
  })
})

describe('a pseudonym', () => {
  test('a pseudonym is a mood and a noun, and always the same', () => {
    const name = pseudonymOf(danasSeed, 0)
    const [mood = '', noun = ''] = name.split(' ')
    expect(PSEUDONYM_MOODS).toContain(mood)
    expect(PSEUDONYM_NOUNS).toContain(noun)
    expect(pseudonymOf(danasSeed, 0)).toBe(name)
    expect(pseudonymOf(danasSeed.toUpperCase(), 0)).toBe(name)
  })

  test('a pseudonym never changes with a release, because threads show old ones', () => {
    expect([0, 1, PLAIN_NAMES].map((attempt) => pseudonymOf(danasSeed, attempt))).toEqual([
      'Plucky Crumpet',
      'Helpful Fern',
      'Glad Lemon 2',
    ])
  })

  test('a pseudonym is the same from bytes as from their hex, wherever the bytes are', () => {
    const bytes = Uint8Array.from(Buffer.from(danasSeed, 'hex'))
    const within = new Uint8Array(20)
    within.set(bytes, 3)
    expect(pseudonymOf(bytes, 3)).toBe(pseudonymOf(danasSeed, 3))
    expect(pseudonymOf(within.subarray(3, 19), 3)).toBe(pseudonymOf(danasSeed, 3))
  })

  test('two people have different pseudonyms', () => {
    expect(pseudonymOf(erinsSeed, 0)).not.toBe(pseudonymOf(danasSeed, 0))
  })

  test.each([danasSeed, erinsSeed, '0'.repeat(16), 'f'.repeat(16)])(
    '20,000 attempts with %s all give other names, first plain ones, then numbered ones',
    (seed) => {
      const names = Array.from({ length: 20_000 }, (_, attempt) => pseudonymOf(seed, attempt))
      expect(new Set(names).size).toBe(names.length)
      for (const name of names.slice(0, PLAIN_NAMES))
        expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
      expect(names[PLAIN_NAMES]).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ 2$/)
      expect(names.at(-1)).toMatch(/ \d+$/)
    },
  )

  test('pseudonyms use every word about equally', () => {
    const seen = new Map<string, number>()
    for (let n = 0; n < 20_000; n++) {
      const seed = ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')
      for (const word of pseudonymOf(seed + seed, 0).split(' '))
        seen.set(word, (seen.get(word) ?? 0) + 1)
    }
    expect(seen.size).toBe(64 + 128)
    expect(Math.min(...seen.values())).toBeGreaterThan(60)
  })

  test.each(['', 'dana', '0011', '00112233445566'])(
    'no pseudonym comes from the seed %j',
    (seed) => {
      expect(() => pseudonymOf(seed, 0)).toThrow(TypeError)
    },
  )
})
