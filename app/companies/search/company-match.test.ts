import { expect, test } from 'vitest'
import { keysOf, keysOfText, oneTypoFrom, searchKey } from './company-keys.ts'
import { piecesAround } from './company-match.ts'

const marked = (text: string, ...marks: string[]) =>
  piecesAround(text, marks)
    .map(([piece, isFound]) => (isFound ? `[${piece}]` : piece))
    .join('')

test('a match is marked as it’s written, with its accents and punctuation', () => {
  expect(marked('Mercedes-Benz Group', 'mercedesbe')).toBe('[Mercedes-Be]nz Group')
  expect(marked('AT&T', 'att')).toBe('[AT&T]')
  expect(marked('Nestlé', 'nestle')).toBe('[Nestlé]')
  expect(marked('Ne\u0301stle', 'nestle')).toBe('[Ne\u0301stle]')
  expect(marked('Straße', 'strasse')).toBe('[Straße]')
  expect(marked('Acme', 'zeta')).toBe('Acme')
  expect(marked('Acme', '')).toBe('Acme')
})

test('the beginning of a word is marked before the middle of one', () => {
  expect(marked('Clamp Lamp', 'lamp')).toBe('Clamp [Lamp]')
  expect(marked('Clamp', 'lamp')).toBe('C[lamp]')
})

test('each of several words is marked once, and none within another', () => {
  expect(marked('Makes tea and coffee', 'coffee', 'tea', 'off')).toBe('Makes [tea] and [coffee]')
})

test('a name is found whole, without its legal form, from a later word, and by its initials', () => {
  const of = (kind: number, name: string) =>
    keysOf({ name, category: 'Tea' })
      .filter((it) => it.kind === kind)
      .map(({ key }) => key)
  expect(of(0, 'Bain & Company')).toEqual(['baincompany', 'bain', 'bainandcompany'])
  expect(of(1, 'Boston Consulting Group')).toEqual(['consultinggroup', 'group'])
  expect(of(2, 'Boston Consulting Group')).toEqual(['bcg'])
  expect(of(3, 'Acme Inc.')).toEqual(['tea acmeinc'])
  expect(keysOfText('Acme Co., Ltd.')).toEqual(['acmecoltd', 'acme'])
  expect(keysOfText('Inc')).toEqual(['inc'])
  expect(searchKey('☕ ☕')).toBe('☕☕')
})

test('one typo can swap two letters, but the first letter has to be right', () => {
  const meant = oneTypoFrom('micrsooft')
  expect(meant.indexOf('microsoft')).toBeLessThan(9)
  expect(oneTypoFrom('toyta')).toContain('toyota')
  expect(oneTypoFrom('toyta')).not.toContain('boyta')
  expect(oneTypoFrom('toy')).toEqual([])
  expect(oneTypoFrom('a'.repeat(31))).toEqual([])
})
