/** What companies are found by: names and what is typed, folded alike. Runs in the browser too. */

/** As `company_keys.kind` in the database. */
export const WHOLE_NAME = 0
export const LATER_WORDS = 1
export const INITIALS = 2
export const CATEGORY = 3

/** Letters that no normal form takes apart. */
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

/** Without accents, in lower case; words and signs stand where they stood. */
export const foldLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[łøđðıæœßþ]/g, (letter) => LETTERS[letter] as string)

const NO_LETTERS = /[^\p{L}\p{N}]+/gu
const KEY_MAX = 120

/** "AT&T" and "att" read the same. What has no letter or digit stays as it is, without spaces. */
export function searchKey(text: string) {
  const folded = foldLetters(text)
  const key = folded.replace(NO_LETTERS, '') || folded.replace(/\s+/gu, '')
  return Array.from(key).slice(0, KEY_MAX).join('')
}

const wordsOf = (text: string) => foldLetters(text).split(NO_LETTERS).filter(Boolean)

const LEGAL_FORM =
  /(?<![\s,&])[\s,&]+(inc|incorporated|corp|corporation|company|co|ltd|limited|llc|llp|lp|plc|gmbh|kgaa|kg|ag|se|sa|sas|srl|spa|nv|bv|ab|asa|oyj|pty|the)\.?$/i

/** No name has more of them behind it. */
const LEGAL_FORMS_MAX = 5

/** "Acme Co., Ltd." is Acme. */
export function withoutLegalForm(name: string): string {
  let rest = name.trim()
  for (let forms = 0; forms < LEGAL_FORMS_MAX; forms++)
    rest = rest.replace(LEGAL_FORM, '').trim() || rest
  return rest
}

/** Of what is typed: as it is, and without a legal form. */
export const keysOfText = (text: string) =>
  [...new Set([searchKey(text), searchKey(withoutLegalForm(text))])].filter(Boolean)

export interface CompanyKey {
  key: string
  kind: number
}

/** Longer names are found from their first words on. */
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
    const words = wordsOf(name)
    for (let at = 1; at < Math.min(words.length, 1 + LATER_WORDS_MAX); at++)
      add(LATER_WORDS, searchKey(words.slice(at).join('')))
    const initials = words.map((word) => Array.from(word)[0]).slice(0, INITIALS_MAX)
    if (initials.length > 1) add(INITIALS, initials.join(''))
  }
  add(CATEGORY, categoryKey(company.category) + searchKey(company.name))
  return [...keys.values()]
}

/** What a category's keys begin with; no key has a space of its own. */
export const categoryKey = (category: string) => `${searchKey(category)} `
