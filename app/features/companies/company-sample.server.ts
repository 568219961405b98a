/**
 * A sample of the companies, from which a search learns how common its text is and which of its
 * grams tell the most. A bad guess costs time, never a result.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'

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
  /** About how many companies come before the first match by name. */
  beforeFirst: number
  /** The few grams of the text, as `company_grams` numbers them, that leave the fewest companies. */
  grams: number[]
  /** How many companies the grams, or the category, leave to look at. */
  left: number
  throughCategory: boolean
  /**
   * The first byte of names up to which there should be `wanted` matches, and what the grams leave
   * up to there; undefined where nothing can be said.
   */
  early(wanted: number): { upTo: number; left: number } | undefined
}

export async function planSearch(ctx: Ctx, search: CompanySearch): Promise<SearchPlan> {
  return (await recentSample(ctx)).plan(search)
}

/** Some 5,000 companies: enough to tell 1 in 1,000 from fewer. About 1 MB. */
const SAMPLED_PAGES = 250
const SAMPLE_LASTS_MS = 5 * 60_000
const PAGE_BYTES = 8192

/** So many of a text's rarest grams are tried on the sample, and no more are asked for. */
const GRAMS_CONSIDERED = 8
const GRAMS_ASKED = 5
/** Another gram is asked for only if it leaves less than this of what is left. */
const WORTH_ASKING = 0.9

/** So many times later than evenly, the first match is late on purpose: "zen" begins late names. */
const LATE = 3
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
      const { grams, left } = tellingGrams(text)
      const matches = left.filter((company) => isThere(company) && company.bytes.includes(text))
      const inCategory = category === undefined ? Infinity : sampled.filter(isThere).length
      const throughCategory = inCategory < left.length
      const first = matches[0] ? sampled.indexOf(matches[0]) : sampled.length
      return {
        ...search,
        companies: sampled.length * scale,
        share: surely(matches.length) / size,
        beforeFirst: first * matches.length > LATE * sampled.length ? first * scale : 0,
        grams: grams.map(numberOf),
        left: Math.min(left.length, inCategory) / size,
        throughCategory,
        early(wanted) {
          if (throughCategory) return undefined
          const last = matches.find((_, i) => surely(i + 1) * scale >= wanted * EARLY_MARGIN)
          if (!last) return undefined
          const upTo = firstByte(last)
          return { upTo, left: left.filter((company) => firstByte(company) <= upTo).length / size }
        },
      }
    },
  }

  /** Of the rarest grams those that together leave the fewest companies; the rarest comes first. */
  function tellingGrams(text: string) {
    const [rarest, ...others] = gramsOf(text)
      .map((gram) => ({ gram, count: occurrences(numberOf(gram)) }))
      .sort((a, b) => a.count - b.count)
      .slice(0, GRAMS_CONSIDERED)
    const grams = rarest ? [rarest.gram] : []
    let left = rarest?.count ? having(sampled, rarest.gram) : []
    let rest = others.map(({ gram }) => gram)
    while (rest.length > 0 && grams.length < GRAMS_ASKED) {
      const [best, leaves] = rest
        .map((gram) => [gram, having(left, gram)] as const)
        .reduce((a, b) => (b[1].length < a[1].length ? b : a))
      if (leaves.length > left.length * WORTH_ASKING) break
      grams.push(best)
      left = leaves
      rest = rest.filter((gram) => gram !== best)
    }
    return { grams, left }
  }
}

const having = (some: Sampled[], gram: string) => some.filter(({ bytes }) => bytes.includes(gram))

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
    for (let i = 0; i < text.length; i++) {
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
