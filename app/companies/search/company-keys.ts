/** Search keys: names and typed texts, folded the same way. Runs in the browser too. */

/** Values of `company_keys.kind`. */
export const WHOLE_NAME = 0
export const LATER_WORDS = 1
export const INITIALS = 2
export const CATEGORY = 3

/** Letters that NFKD doesn't decompose. */
const LETTERS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}

/** Lower case, without accents. Words and punctuation stay. */
export const foldLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[łøđðıæœßþ]/g, (letter) => LETTERS[letter] as string)

const NO_LETTERS = /[^\p{L}\p{N}]+/gu
const KEY_MAX = 120

/** Equal for "AT&T" and "att". A text without letters or digits only loses its spaces. */
export function searchKey(text: string) {
  const folded = foldLetters(text)
  const key = folded.replace(NO_LETTERS, '') || folded.replace(/\s+/gu, '')
  return Array.from(key).slice(0, KEY_MAX).join('')
}

export const foldedWords = (text: string) => foldLetters(text).split(NO_LETTERS).filter(Boolean)

const LEGAL_FORM =
  /(?<![\s,&])[\s,&]+(inc|incorporated|corp|corporation|company|co|ltd|limited|llc|llp|lp|plc|gmbh|kgaa|kg|ag|se|sa|sas|srl|spa|nv|bv|ab|asa|oyj|pty|the)\.?$/i

/** No name has more legal forms than this. */
const LEGAL_FORMS_MAX = 5

/** "Acme Co., Ltd." is Acme. */
function withoutLegalForm(name: string): string {
  let rest = name.trim()
  for (let forms = 0; forms < LEGAL_FORMS_MAX; forms++)
    rest = rest.replace(LEGAL_FORM, '').trim() || rest
  return rest
}

/** Keys of a name as typed, and without its legal form. */
export const keysOfText = (text: string) =>
  [...new Set([searchKey(text), searchKey(withoutLegalForm(text))])].filter(Boolean)

interface CompanyKey {
  key: string
  kind: number
}

/** In longer names, later words don't get keys. */
const LATER_WORDS_MAX = 8
const INITIALS_MAX = 8

export function keysOf(company: { name: string; aliases?: string[]; category: string }) {
  const keys = new Map<string, CompanyKey>()
  const add = (kind: number, key: string) => {
    if (key) keys.set(`${kind} ${key}`, { kind, key })
  }
  for (const name of [company.name, ...(company.aliases ?? [])]) {
    for (const whole of [name, withoutLegalForm(name), name.replaceAll('&', ' and ')])
      add(WHOLE_NAME, searchKey(whole))
    const words = foldedWords(name)
    for (let at = 1; at < Math.min(words.length, 1 + LATER_WORDS_MAX); at++)
      add(LATER_WORDS, searchKey(words.slice(at).join('')))
    const initials = words.map((word) => Array.from(word)[0]).slice(0, INITIALS_MAX)
    if (initials.length > 1) add(INITIALS, initials.join(''))
  }
  add(CATEGORY, categoryKey(company.category) + searchKey(company.name))
  return [...keys.values()]
}

/** Prefix of a category's keys. No other key contains a space. */
export const categoryKey = (category: string) => `${searchKey(category)} `

const SHORTEST = 4
const LONGEST = 30
const TYPED_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Corrections of a single typo, likeliest first: two swapped letters, a letter wrongly doubled or not doubled, then an
 * extra, a wrong and a missing letter. The first letter is right, or swapped.
 */
export function oneTypoFrom(key: string): string[] {
  const letters = Array.from(key)
  const { length } = letters
  if (length < SHORTEST || length > LONGEST) return []
  /** Replaces `taken` letters, starting at `at`. */
  const edited = (at: number, taken: number, ...put: (string | undefined)[]) =>
    [...letters.slice(0, at), ...put, ...letters.slice(at + taken)].join('')
  const positions = Array.from({ length: length - 1 }, (_, i) => i + 1)
  const texts = new Set([
    ...positions.map((at) => edited(at - 1, 2, letters[at], letters[at - 1])),
    ...letters.map((letter, at) => edited(at, 0, letter)),
    ...positions.filter((at) => letters[at] === letters[at - 1]).map((at) => edited(at, 1)),
    ...positions.map((at) => edited(at, 1)),
    ...[...positions, length].flatMap((at) =>
      [...TYPED_LETTERS].map((letter) => edited(at, 0, letter)),
    ),
    ...positions.flatMap((at) => [...TYPED_LETTERS].map((letter) => edited(at, 1, letter))),
  ])
  texts.delete(key)
  return [...texts]
}
