import { cutText, oneLine, shortened } from '#app/kit/writing/text.ts'
import {
  createPublicFetch,
  endingAfter,
  type Guard,
  openWeb,
} from '#app/platform/http/public-fetch.server.ts'
import { DESCRIPTION_MAX } from '../edits/company-edit.ts'
import { websiteProblem } from '../web-address.ts'
import {
  createPoliteFetch,
  fetchProblem,
  type Pace,
  type ReadPage,
  USUAL_PACE,
} from './polite-fetch.server.ts'
import type { ScraperResponse, ScraperResult } from './scraping.ts'
import { factsIn, type ListedSymbol, symbolsIn } from './stock-pages.server.ts'

/**
 * A scraper run: the page of market movers, then each symbol's page. A failing page doesn't stop the rest.
 * Spec §2.14, §7.3.
 */

export interface MarketMovers {
  name: string
  url: string
  /** The operator configured it, so it may be in a private network. */
  isChosen: boolean
}

export interface RunParts {
  source: MarketMovers
  /** 1 to 10. */
  limit: number
  signal: AbortSignal
  /** Called with the number of companies, before the results. */
  onFound?: (found: number) => void
  onResult?: (result: ScraperResult) => void
  /** Tests replace it. */
  guard?: Guard
  pace?: Pace
}

const NO_TIME = 'Time ran out before we could read this page'

/** Never throws. Errors are in the response. */
export async function scrapeMarketMovers(run: RunParts): Promise<ScraperResponse> {
  const { signal, forget } = endingAfter((run.pace ?? USUAL_PACE).wholeMs, run.signal)
  try {
    return await readEverything({ ...run, signal })
  } finally {
    forget()
  }
}

async function readEverything(run: RunParts): Promise<ScraperResponse> {
  const { source, limit, signal, onFound, onResult, guard = openWeb, pace = USUAL_PACE } = run
  const ownOrigin = source.isChosen ? new URL(source.url).origin : undefined
  const read = createPoliteFetch(createPublicFetch({ ...guard, ownOrigin }), pace, signal)

  let listed: ListedSymbol[]
  try {
    const { html, url } = await read(source.url)
    listed = symbolsIn(html, url).slice(0, limit)
  } catch (error) {
    return { results: [], error: `We couldn’t read ${source.name}. ${fetchProblem(error)}.` }
  }
  if (listed.length === 0)
    return { results: [], error: `There are no companies on ${source.name}’s page.` }

  onFound?.(listed.length)
  const results: ScraperResult[] = []
  for (const symbol of listed) {
    const result = signal.aborted
      ? unread(symbol, NO_TIME)
      : await readSymbol(symbol, read).catch((error) =>
          unread(symbol, signal.aborted ? NO_TIME : fetchProblem(error)),
        )
    results.push(result)
    onResult?.(result)
  }
  const [first] = results
  if (first && results.every(({ error }) => error !== null))
    return { results, error: `We couldn’t read any company’s page. ${first.error}.` }
  return { results, error: null }
}

async function readSymbol(listed: ListedSymbol, read: ReadPage): Promise<ScraperResult> {
  const { html, url } = await read(listed.page)
  const facts = factsIn(html, url)
  const isNamed = listed.name !== listed.symbol
  return {
    company: isNamed ? listed.name : (facts.name ?? listed.name),
    category: facts.category ? cutText(facts.category, 60) : null,
    // No addresses in private networks or with ports.
    url: websiteProblem(facts.website, 'website') === undefined ? facts.website : null,
    logo: listed.logo ?? facts.logo,
    firstSentence: firstSentence(facts.description ?? '', DESCRIPTION_MAX) || null,
    error: null,
  }
}

const unread = ({ name, logo }: ListedSymbol, error: string): ScraperResult => ({
  company: name,
  category: null,
  url: null,
  logo,
  firstSentence: null,
  error,
})

/** Whether the text ends with a full stop that doesn't end a sentence. */
const ABBREVIATED =
  /(?:^|[\s(])(?:inc|corp|co|cos|ltd|llc|lp|plc|bros|no|st|dr|mr|mrs|ms|jr|sr|vs|approx|est|e\.g|i\.e|s\.a|n\.v|[A-Z](?:\.[A-Z])*)\.["”’)]?\s*$/i

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * "Acme Inc. makes anvils. It was founded …" → "Acme Inc. makes anvils."; '' for an empty text.
 * @param max characters, including the "…" of a longer sentence
 */
export function firstSentence(text: string, max: number): string {
  const line = oneLine(cutText(text, 4_000))
  let first = ''
  for (const { segment } of sentences.segment(line)) {
    first += segment
    if (!ABBREVIATED.test(first)) break
  }
  return shortened(first.trim(), max)
}
