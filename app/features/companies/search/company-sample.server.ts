/**
 * A sample of the companies, from which a search learns how common its text is and which of its
 * grams tell the most. A bad guess costs time, never a result.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'

export interface CompanySearch {
  /** Folded (`foldText`), not empty, without NUL. */
  text: string
  category?: string
}

/** What the sample says about a search. Shares are from 0 to 1, of all companies. */
export interface SearchPlan extends CompanySearch {
  /** Companies in all, about. */
  companies: number
  /** How many match, rather too few than too many. */
  share: number
  /** How many of them have the text further in than at the beginning, and so lie here and there. */
  scattered: number
  /** How many names begin with the text: by name they lie in one place. */
  beginnings: number
  /** About how many companies come before the first of the scattered by name. */
  beforeFirst: number
  lookUp: IndexLookup
  throughCategory: boolean
  /**
   * Among the early names only, of which there should be `wanted` matches; undefined where nothing
   * can be said.
   */
  early(wanted: number): IndexLookup | undefined
}

/** A way through the index of grams. */
export interface IndexLookup {
  /** A few of the text's, as `company_grams` numbers them; what has them all is looked at. */
  grams: number[]
  /** How many companies have the rarest of them: so many the index goes through, for each gram. */
  rarest: number
  /** How many have them all, or are in the category where that is the way. */
  left: number
  /** Whether names that begin with the text, which the index of grams leaves out, belong to it. */
  withBeginnings: boolean
}

/** What it takes for a gram to go past a company in the index, and to look at a company, in µs. */
export const PASS_GRAM = 0.07
export const LOOK_UP = 1.8

export async function planSearch(ctx: Ctx, search: CompanySearch): Promise<SearchPlan> {
  return (await recentSample(ctx)).plan(search)
}

/** Some 5,000 companies: enough to tell 1 in 1,000 from fewer. About 1 MB. */
const SAMPLED_PAGES = 250
const SAMPLE_LASTS_MS = 5 * 60_000
const PAGE_BYTES = 8192

/** So many of a text's rarest grams are tried on the sample. */
const GRAMS_CONSIDERED = 8

/** So many times later than evenly, the first match is late on purpose: "zen" begins late names. */
const LATE = 3
/** The letters with which `company_grams` tells early names. */
const EARLY_BOUNDS = [...'abcehlp'].map((letter) => letter.charCodeAt(0))
/** So many more matches than wanted should be early. */
const EARLY_MARGIN = 1.5

interface Sample {
  plan(search: CompanySearch): SearchPlan
}

let latest: { sample: Promise<Sample>; takenAt: number } | undefined

function recentSample(ctx: Ctx): Promise<Sample> {
  if (latest && performance.now() - latest.takenAt < SAMPLE_LASTS_MS) return latest.sample
  const taken = { sample: takeSample(ctx), takenAt: performance.now() }
  latest = taken
  taken.sample.catch(() => {
    if (latest === taken) latest = undefined
  })
  return taken.sample
}

/** Reads random pages of the table, so that no ANALYZE needs to have run, on either engine. */
async function takeSample(ctx: Ctx): Promise<Sample> {
  const [table] = await ctx.db.query<{ bytes: number }>(
    sql`select pg_relation_size('companies') as bytes`,
  )
  const percent = Math.min(100, (100 * SAMPLED_PAGES * PAGE_BYTES) / Math.max(1, table?.bytes ?? 0))
  const rows = await ctx.db.query<{ text: string; category: string }>(sql`
    select search_text as text, category from companies tablesample system (${percent}::float8)`)
  return sampleOf(rows, 100 / percent)
}

interface Sampled {
  bytes: string
  category: string
}

/** Each of the `rows` stands for `scale` companies. */
function sampleOf(rows: { text: string; category: string }[], scale: number): Sample {
  const sampled: Sampled[] = rows
    .map(({ text, category }) => ({ bytes: bytesOf(text), category }))
    // The name comes first in the text, so this is their order by name.
    .sort((a, b) => (a.bytes < b.bytes ? -1 : 1))
  const size = Math.max(1, sampled.length)
  const occurrences = countGrams(sampled.map(({ bytes }) => bytes))

  return {
    plan(search) {
      const { category } = search
      const text = bytesOf(search.text)
      const isThere = (company: Sampled) => category === undefined || company.category === category
      const { grams, rarest, left } = selectiveGrams(text)
      const beginnings = sampled.filter(
        (company) => company.bytes.startsWith(text) && isThere(company),
      )
      const further = left.filter((company) => company.bytes.includes(text, 1) && isThere(company))
      const matches = new Set([...beginnings, ...further]).size
      const first = further[0] ? sampled.indexOf(further[0]) : sampled.length
      const inCategory = category === undefined ? Infinity : sampled.filter(isThere).length
      const throughCategory = inCategory < left.length + beginnings.length
      return {
        ...search,
        companies: sampled.length * scale,
        share: surely(matches) / size,
        scattered: surely(further.length) / size,
        beginnings: beginnings.length / size,
        beforeFirst: first * further.length > LATE * sampled.length ? first * scale : 0,
        lookUp: throughCategory
          ? { grams: [], rarest: 0, left: inCategory / size, withBeginnings: true }
          : { grams, rarest, left: left.length / size, withBeginnings: true },
        throughCategory,
        early(wanted) {
          if (throughCategory) return undefined
          const last = further.find((_, i) => surely(i + 1) * scale >= wanted * EARLY_MARGIN)
          const bound = last && EARLY_BOUNDS.find((bound) => firstByte(last) <= bound)
          if (bound === undefined) return undefined
          const isEarly = (company: Sampled) => firstByte(company) <= bound
          return {
            grams: [...grams, 2 ** 25 + bound],
            rarest: Math.min(rarest, sampled.filter(isEarly).length / size),
            left: left.filter(isEarly).length / size,
            withBeginnings: text.charCodeAt(0) <= bound,
          }
        },
      }
    },
  }

  /** The rarest gram, and others as long as they spare more looking than they cost. */
  function selectiveGrams(text: string) {
    const [first, ...others] = gramsOf(text)
      .map((gram) => ({ gram, count: occurrences(numberOf(gram)) }))
      .sort((a, b) => a.count - b.count)
      .slice(0, GRAMS_CONSIDERED)
    let left = first?.count ? having(sampled, first.gram) : []
    const rarest = left.length
    const grams = first ? [first.gram] : []
    let rest = others.map(({ gram }) => gram)
    while (rest.length > 0) {
      const [best, leaves] = rest
        .map((gram) => [gram, having(left, gram)] as const)
        .reduce((a, b) => (b[1].length < a[1].length ? b : a))
      if ((left.length - leaves.length) * LOOK_UP < rarest * PASS_GRAM) break
      grams.push(best)
      left = leaves
      rest = rest.filter((gram) => gram !== best)
    }
    return { grams: grams.map(numberOf), rarest: rarest / size, left }
  }
}

/** Further in than at the beginning, as in the index. */
const having = (some: Sampled[], gram: string) =>
  some.filter(({ bytes }) => bytes.includes(gram, 1))

const firstByte = ({ bytes }: Sampled) => bytes.charCodeAt(0)

/** Less one standard deviation: the fewer were met, the less is known. */
const surely = (met: number) => met - Math.sqrt(met)

/** One character for each byte in UTF-8, as the grams in the database are runs of bytes. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** The longest grams of a text: what has them has the shorter ones. */
function gramsOf(bytes: string): string[] {
  const length = Math.min(3, bytes.length)
  const starts = Array.from({ length: bytes.length - length + 1 }).keys()
  return [...new Set(Array.from(starts, (start) => bytes.slice(start, start + length)))]
}

/** As `company_grams` numbers them. */
const numberOf = (gram: string) =>
  Buffer.from(gram, 'latin1').reduce((number, byte) => number * 256 + byte, 1)

const SLOTS = 2 ** 17

/**
 * In how many of the texts a gram is. Two grams may share a slot and then both look more common
 * than they are; a Map that tells them apart takes ten times as long to fill.
 */
function countGrams(texts: string[]) {
  const slotOf = (gram: number) => Math.imul(gram, 0x9e3779b1) >>> 15
  const counts = new Uint32Array(SLOTS)
  const lastIn = new Uint32Array(SLOTS)
  texts.forEach((text, index) => {
    let last = 0
    for (let i = 1; i < text.length; i++) {
      last = ((last << 8) | text.charCodeAt(i)) & 0xffffff
      for (const gram of [0x1000000 | last, 0x10000 | (last & 0xffff), 0x100 | (last & 0xff)]) {
        const slot = slotOf(gram)
        if (lastIn[slot] === index + 1) continue
        lastIn[slot] = index + 1
        counts[slot] = (counts[slot] as number) + 1
      }
    }
  })
  return (gram: number) => counts[slotOf(gram)] as number
}
