/**
 * Whether a row is an existing company, may be one, or is new. Files, pasted tables, the terminal and the scraper all use
 * this. No I/O here: company-match-queries.server.ts finds the candidates.
 */
import { foldLetters, searchKey } from '../search/company-keys.ts'

/** `site` comes from `siteOf`. */
export interface Comparable {
  name: string
  aliases: readonly string[]
  site: string | null
  ticker: string | null
}

/** Why two may be the same, shown after their names. */
export const REASONS = {
  website: 'Same name, different website',
  alias: 'One is another name of the other',
  ticker: 'They share a ticker',
  'longer-name': 'One name contains the other',
  'one-letter': 'The names differ by one letter',
} as const
export type Reason = keyof typeof REASONS

export type Likeness = { is: 'same' } | { is: 'perhaps'; because: Reason }

/** Legal forms, which don't tell companies apart. */
const LEGAL_FORMS = new Set(
  (
    'inc incorporated corp corporation company co cos companies private pvt ltd limited llc llp lp plc gmbh kgaa kg ' +
    'ag se sa sas srl spa nv bv ab as asa aps oyj oy pty pte bhd berhad sab de cv kk jsc pjsc the and'
  ).split(' '),
)

/** Words that are often left out at the end of a name. */
const SOFT_WORDS = new Set(
  (
    'holding holdings group international global worldwide technologies technology laboratories labs ' +
    'industries enterprises brands stores systems solutions services financial bancorp bancshares ' +
    'pharmaceuticals pharma motor motors energy platforms entertainment communications networks ' +
    'software foods beverages airlines trust properties partners insurance health healthcare usa us'
  ).split(' '),
)

const SHARE_CLASS =
  /(?<![\s,(-])[\s,(-]+(?:the|publ|(?:class|cl|series)\.? [a-z]|common stock|ordinary shares?|adr|ads)\)?$/
/** No name has more legal forms than this. */
const SHARE_CLASSES_MAX = 5
/** "Bank of America Corp /DE/", as filed with an authority. */
const FILED_IN = / \/[a-z]{2,3}\/?$/
/** "Lilly (Eli)", as in alphabetical lists. */
const LAST_FIRST = /^([^()]+) \(([^()]+)\)$/
const DOT_COM = /\.(com|net|org)\b/
/** "N.V." and "S.p.A." are one word each. */
const DOTTED = /\b([a-z])\.(?=[a-z]\b)/g

/** Distinctive words: "The Walt Disney Company (Class A)" has walt and disney. */
function distinctiveWords(name: string): string[] {
  let text = foldLetters(name).trim().replace(FILED_IN, '')
  for (let classes = 0; classes < SHARE_CLASSES_MAX; classes++)
    text = text.replace(SHARE_CLASS, '').trim()
  const words = text
    .replace(LAST_FIRST, '$2 $1')
    .replace(DOTTED, '$1')
    .replace(DOT_COM, '')
    .replace(/['’`]/g, '')
    .replaceAll('a/s', 'as')
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  if (words.length > 1 && words[0] === 'the') words.shift()
  return withoutLast(words, LEGAL_FORMS)
}

function withoutLast(words: string[], needless: ReadonlySet<string>) {
  let end = words.length
  while (end > 1 && needless.has(words[end - 1] as string)) end--
  return words.slice(0, end)
}

const withoutAnd = (words: string[]) => words.filter((word) => word !== 'and')

/** Equal for "Tesla, Inc." and "TESLA", "P&G" and "P and G": without legal form, share class and punctuation. */
export const coreOf = (name: string) =>
  withoutAnd(distinctiveWords(name)).join('') || searchKey(name)

interface Core {
  core: string
  /** With "and", also for "&". */
  spelled: string
  /** The name without SOFT_WORDS at the end. */
  soft: string
  /** Shorter names that this one contains. */
  within: string[]
}

/** Cached, because we compare each row with several companies. */
const remembered = new WeakMap<object, Core>()

function coresOf(compared: Pick<Comparable, 'name'>): Core {
  const known = remembered.get(compared)
  if (known) return known
  const all = distinctiveWords(compared.name)
  const words = withoutAnd(all)
  const cores = {
    core: words.join('') || searchKey(compared.name),
    spelled: all.join(''),
    soft: withoutLast(words, SOFT_WORDS).join(''),
    within: namesWithin(words),
  }
  remembered.set(compared, cores)
  return cores
}

/** Shorter names are part of too many others. */
const WITHIN_MIN = 4
const SLIP_MIN = 6

/** True for "Abbott" in "Abbott Laboratories" and "Disney" in "Walt Disney", but not for "Acme" in "Acme 2". */
const namesWithin = (words: string[]) =>
  words.slice(1).flatMap((_, i) => {
    const [first, last] = [words.slice(0, i + 1).join(''), words.slice(i + 1).join('')]
    const isDistinct = (name: string, rest: string) => name.length >= WITHIN_MIN && !/\d/.test(rest)
    return [...(isDistinct(first, last) ? [first] : []), ...(isDistinct(last, first) ? [last] : [])]
  })

/** Undefined for different companies. */
export function likeness(row: Comparable, company: Comparable): Likeness | undefined {
  if (row.site !== null && row.site === company.site) return { is: 'same' }
  const isElsewhere = row.site !== null && company.site !== null
  const [ours, theirs] = [coresOf(row), coresOf(company)]
  if (ours.core === theirs.core)
    return isElsewhere ? { is: 'perhaps', because: 'website' } : { is: 'same' }
  const isCalled = ({ aliases }: Comparable, { core }: Core) =>
    aliases.some((alias) => coreOf(alias) === core)
  if (isCalled(company, ours) || isCalled(row, theirs)) return { is: 'perhaps', because: 'alias' }
  // "Advanced Micro Devices" is known by its ticker, AMD.
  const isTicker = ({ ticker }: Comparable, other: Comparable, { core }: Core) =>
    ticker !== null && (ticker === other.ticker || ticker.toLowerCase() === core)
  if (isTicker(row, company, theirs) || isTicker(company, row, ours))
    return { is: 'perhaps', because: 'ticker' }
  // If the websites differ, only the names are alike.
  if (isElsewhere) return undefined
  if (isWithin(ours, theirs) || isWithin(theirs, ours))
    return { is: 'perhaps', because: 'longer-name' }
  if (isOneTypo(ours.core, theirs.core)) return { is: 'perhaps', because: 'one-letter' }
  return undefined
}

function isWithin(short: Core, long: Core) {
  const areOneBeginning = short.soft !== '' && short.soft === long.soft
  if (areOneBeginning && !/\d/.test(long.core.slice(short.soft.length))) return true
  return long.within.includes(short.core)
}

/** One letter is added, missing, changed or swapped. A different digit isn't a typo. */
function isOneTypo(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SLIP_MIN || Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let back = 0
  while (back < Math.min(a.length, b.length) - from && a.at(-1 - back) === b.at(-1 - back)) back++
  const [ofA, ofB] = [a.slice(from, a.length - back), b.slice(from, b.length - back)]
  if (/\d/.test(ofA + ofB)) return false
  const areSwapped = ofA.length === 2 && ofA === [...ofB].reverse().join('')
  return areSwapped || (ofA.length <= 1 && ofB.length <= 1)
}

/** The share of a name that must be the same at its start, so we find typos further in. */
const BEGINNING = 0.6

/**
 * Keys made by `searchKey` that find whatever `likeness` may match: whole names, and beginnings of names (with `inside`,
 * of later words, too).
 */
export function nearCores(row: Omit<Comparable, 'site'>) {
  const { core, spelled, soft, within } = coresOf(row)
  const exact = new Set([core, spelled, soft, ...row.aliases.map(coreOf), ...within])
  if (row.ticker) exact.add(searchKey(row.ticker))
  const beginnings = [{ key: soft, inside: true }]
  const begun = core.slice(0, Math.ceil(core.length * BEGINNING))
  if (core.length >= SLIP_MIN && !/\d/.test(core)) beginnings.push({ key: begun, inside: false })
  return {
    exact: [...exact].filter(Boolean),
    beginnings: beginnings.filter(({ key }) => key.length >= WITHIN_MIN - 1),
  }
}
