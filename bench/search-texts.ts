/** What is searched for in the benchmark of suggestions; the same for the same seed. */

import { searchKey } from '../app/companies/search/company-keys.ts'
import { foldText, slugOf } from '../app/kit/writing/text.ts'
import { companyRows } from './data/companies.ts'
import { createRandom } from './data/random.ts'

/** Texts as people type them: the beginnings of names, 2 to 6 letters, and whole words of names. */
export function typedTexts(seed: number, count: number): string[] {
  const random = createRandom(seed, 'typed')
  const rows = companyRows(seed, count * 2).rows()
  const texts: string[] = []
  for (const [, name] of rows) {
    const folded = foldText(String(name))
    const word = random.pick(folded.split(' ').filter((word) => word.length >= 2))
    const text = random.chance(0.75) ? folded.slice(0, 2 + random.below(5)).trim() : word
    if (text && slugOf(text) !== '' && text.length >= 2) texts.push(text)
    if (texts.length === count) break
  }
  return texts
}

/** Beginnings of names with one slip of the keys: a letter missing, another one, or two that changed places. */
export function slippedTexts(seed: number, count: number): string[] {
  const random = createRandom(seed, 'slipped')
  const texts: string[] = []
  for (const [, name] of companyRows(seed, count * 2).rows()) {
    const letters = [...searchKey(String(name)).slice(0, 5 + random.below(9))]
    if (letters.length < 5) continue
    const at = 1 + random.below(letters.length - 2)
    const [one = '', other = ''] = letters.slice(at, at + 2)
    letters.splice(at, 2, ...random.pick([[other], [other, one], ['x', other]]))
    texts.push(letters.join(''))
    if (texts.length === count) break
  }
  return texts
}

/** Texts that are dear to look for: rare pairs, middles of words, many common words, no match. */
export function hostileTexts(seed: number, count: number): string[] {
  const random = createRandom(seed, 'hostile')
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('')
  const rows = companyRows(seed, count).rows()
  const kinds = [
    () => letters(2),
    () => `${random.pick([...'qxzjkvw'])}${random.pick([...'qxzjkvw'])}`,
    (text: string) => {
      const start = random.below(text.length - 8)
      return text.slice(start, start + 3 + random.below(6)).trim()
    },
    (text: string) =>
      text
        .split(/\s/)
        .slice(-4 - random.below(3))
        .slice(0, 3)
        .join(' '),
    () => `${random.pick(COMMON)} ${random.pick(COMMON)}`,
    () => `${random.pick(COMMON).slice(1)} ${random.pick(COMMON).slice(0, 3)}`,
    () => letters(3 + random.below(6)),
    () =>
      random.pick(['%', '_', '\\\\', '.*', '日本', '🚀', 'at&t', 'łódź', 'a_b', '  ']) + letters(1),
  ]
  const texts: string[] = []
  for (const [, , key, , category, description] of rows) {
    const text =
      kinds[texts.length % kinds.length]?.(foldText(`${key} ${description} ${category}`)) ?? ''
    texts.push(text.length >= 2 ? text : letters(2))
  }
  return texts
}

const COMMON = [
  'company',
  'in',
  'that',
  'services',
  'technology',
  'of',
  'and',
  'london',
  'the',
  'inc',
  'with',
  'smith',
  'global',
]
