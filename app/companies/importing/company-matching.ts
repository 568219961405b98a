/**
 * Whether a row of an import is a company that is here, perhaps is, or is new. Of file, pasted table,
 * terminal and scraper alike. No I/O here: company-match-queries.server.ts finds whom to compare with.
 */
import { foldLetters, searchKey } from '../search/company-keys.ts'

/** What is compared; `site` as `siteOf` has it. */
export interface Comparable {
  name: string
  aliases: readonly string[]
  site: string | null
  ticker: string | null
}

/** Why two may be one, as a sentence goes on behind their names. */
export const REASONS = {
  website: 'The name is the same, the website is another one',
  alias: 'It is another name of it',
  ticker: 'Its ticker says so',
  'longer-name': 'One name holds the other',
  'one-letter': 'The names are one letter apart',
} as const
export type Reason = keyof typeof REASONS

export type Likeness = { is: 'same' } | { is: 'perhaps'; because: Reason }

/** Says who holds the shares or in which form, and nothing of who it is. */
const LEGAL_FORMS = new Set(
  (
    'inc incorporated corp corporation company co cos companies ltd limited llc llp lp plc gmbh kgaa kg ag se sa ' +
    'sas srl spa nv bv ab asa oyj oy pty pte bhd sab the and'
  ).split(' '),
)

/** What companies put behind their name, and leave away as often. */
const SOFT_WORDS = new Set(
  (
    'holding holdings group international global worldwide technologies technology laboratories labs ' +
    'industries enterprises brands stores systems solutions services financial bancorp bancshares ' +
    'pharmaceuticals pharma motor motors energy platforms entertainment communications networks ' +
    'software foods beverages airlines trust properties partners insurance health healthcare usa us'
  ).split(' '),
)

const SHARE_CLASS =
  /(?<![\s,(-])[\s,(-]+(?:the|(?:class|cl|series)\.? [a-z]|common stock|ordinary shares?|adr|ads)\)?$/
/** No name has more of them behind it. */
const SHARE_CLASSES_MAX = 5
/** "Lilly (Eli)", as lists in the order of the alphabet have it. */
const LAST_FIRST = /^([^()]+) \(([^()]+)\)$/
const DOT_COM = /\.(com|net|org)\b/
/** "N.V." is one word, "S.p.A." too. */
const DOTTED = /\b([a-z])\.(?=[a-z]\b)/g

/** The words that tell a company from others: "The Walt Disney Company (Class A)" is walt, disney. */
function wordsOf(name: string): string[] {
  let text = foldLetters(name).trim()
  for (let classes = 0; classes < SHARE_CLASSES_MAX; classes++)
    text = text.replace(SHARE_CLASS, '').trim()
  const words = text
    .replace(LAST_FIRST, '$2 $1')
    .replace(DOTTED, '$1')
    .replace(DOT_COM, '')
    .replace(/['’`]/g, '')
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

/** "Tesla, Inc." and "TESLA" are one: what is left of a name without form, share class and signs. */
export const coreOf = (name: string) => wordsOf(name).join('') || searchKey(name)

interface Core {
  core: string
  /** Without the words that are left away as often. */
  soft: string
  /** Shorter names that this one holds. */
  held: string[]
}

/** Each row is compared with several. */
const remembered = new WeakMap<object, Core>()

function coresOf(compared: Pick<Comparable, 'name'>): Core {
  const known = remembered.get(compared)
  if (known) return known
  const words = wordsOf(compared.name)
  const core = words.join('') || searchKey(compared.name)
  const cores = { core, soft: withoutLast(words, SOFT_WORDS).join(''), held: heldIn(words) }
  remembered.set(compared, cores)
  return cores
}

/** Shorter names say little by standing in another one. */
const HELD_MIN = 4
const SLIP_MIN = 6

/** "Abbott" of "Abbott Laboratories", "Disney" of "Walt Disney"; not "Acme" of "Acme 2". */
const heldIn = (words: string[]) =>
  words.slice(1).flatMap((_, i) => {
    const [first, last] = [words.slice(0, i + 1).join(''), words.slice(i + 1).join('')]
    const isHeld = (name: string, rest: string) => name.length >= HELD_MIN && !/\d/.test(rest)
    return [...(isHeld(first, last) ? [first] : []), ...(isHeld(last, first) ? [last] : [])]
  })

/** How alike they are; undefined where they are two. */
export function likeness(row: Comparable, company: Comparable): Likeness | undefined {
  if (row.site !== null && row.site === company.site) return { is: 'same' }
  const isElsewhere = row.site !== null && company.site !== null
  const [ours, theirs] = [coresOf(row), coresOf(company)]
  if (ours.core === theirs.core)
    return isElsewhere ? { is: 'perhaps', because: 'website' } : { is: 'same' }
  const isCalled = ({ aliases }: Comparable, { core }: Core) =>
    aliases.some((alias) => coreOf(alias) === core)
  if (isCalled(company, ours) || isCalled(row, theirs)) return { is: 'perhaps', because: 'alias' }
  // "Advanced Micro Devices" is called AMD, as its shares are.
  const isTicker = ({ ticker }: Comparable, other: Comparable, { core }: Core) =>
    ticker !== null && (ticker === other.ticker || ticker.toLowerCase() === core)
  if (isTicker(row, company, theirs) || isTicker(company, row, ours))
    return { is: 'perhaps', because: 'ticker' }
  // Whose websites differ is called alike, and no more.
  if (isElsewhere) return undefined
  if (isHeld(ours, theirs) || isHeld(theirs, ours)) return { is: 'perhaps', because: 'longer-name' }
  if (isOneSlip(ours.core, theirs.core)) return { is: 'perhaps', because: 'one-letter' }
  return undefined
}

function isHeld(short: Core, long: Core) {
  const areOneBeginning = short.soft !== '' && short.soft === long.soft
  if (areOneBeginning && !/\d/.test(long.core.slice(short.soft.length))) return true
  return long.held.includes(short.core)
}

/** One letter more, less, or another one, or two in each other's place; a number is no slip. */
function isOneSlip(a: string, b: string): boolean {
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

/** A slip further in is found among names that begin as this one: so much of it. */
const BEGINNING = 0.6

/**
 * Keys by which whatever `likeness` calls the same or perhaps so is found: whole names, and what names
 * begin with (`inside`: also from a later word on), as `searchKey` makes them.
 */
export function nearCores(row: Omit<Comparable, 'site'>) {
  const { core, soft, held } = coresOf(row)
  const exact = new Set([core, soft, ...row.aliases.map(coreOf), ...held])
  if (row.ticker) exact.add(searchKey(row.ticker))
  const beginnings = [{ key: soft, inside: true }]
  const begun = core.slice(0, Math.ceil(core.length * BEGINNING))
  if (core.length >= SLIP_MIN && !/\d/.test(core)) beginnings.push({ key: begun, inside: false })
  return {
    exact: [...exact].filter(Boolean),
    beginnings: beginnings.filter(({ key }) => key.length >= HELD_MIN - 1),
  }
}
