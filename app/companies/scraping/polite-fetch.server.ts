/** Reads other sites' pages politely: one by one, with pauses, and nothing that robots.txt disallows. */
import { setTimeout } from 'node:timers/promises'
import robotsParser from 'robots-parser'
import {
  type Fetched,
  type FetchPublic,
  MEGABYTE,
  NotFetched,
  pageText,
} from '#app/platform/http/public-fetch.server.ts'

/** Our product token for robots.txt. */
const PROGRAM = 'KettleBot'
export const USER_AGENT = `${PROGRAM}/1.0`
/** A page of market movers has about 1 MB. */
const PAGE_BYTES = 4 * MEGABYTE
/** RFC 9309 requires at least 500 KiB. */
const ROBOTS_BYTES = MEGABYTE / 2

/** No real page has a longer address, and longer ones take longer to match against rules. */
const ADDRESS_LENGTH_MAX = 2_000
/** A missing robots.txt allows everything. RFC 9309 §2.3.1.3 */
const ALL_ALLOWED = ''
/** An unreachable robots.txt disallows everything. RFC 9309 §2.3.1.4 */
const NONE_ALLOWED = 'User-agent: *\nDisallow: /'

/** Milliseconds. */
export interface Pace {
  /** Between two requests. */
  delayMs: number
  /** The limit of a site's crawl delay. */
  delayMaxMs: number
  /** Longest wait for one page. */
  pageMs: number
  /** Longest time for a whole run. */
  wholeMs: number
}

export const USUAL_PACE: Pace = {
  delayMs: 1_000,
  delayMaxMs: 10_000,
  pageMs: 15_000,
  wholeMs: 150_000,
}

/** Disallowed by robots.txt. */
class LeftAlone extends Error {
  override name = 'LeftAlone'
}

/** @throws errors for `fetchProblem` */
export type ReadPage = (url: string) => Promise<{ html: string; url: string }>

/** @param signal aborts everything */
export function createPoliteFetch(
  fetchPublic: FetchPublic,
  { delayMs, delayMaxMs, pageMs }: Pace,
  signal: AbortSignal,
): ReadPage {
  const rulesOf = new Map<string, ReturnType<typeof robotsParser>>()
  let freeAt = 0

  async function fetchInTurn(url: string, more: Parameters<FetchPublic>[1]): Promise<Fetched> {
    const seconds = rulesOf.get(new URL(url).origin)?.getCrawlDelay(PROGRAM) ?? 0
    const pause = Math.max(delayMs, Math.min(seconds * 1000, delayMaxMs))
    // A site's crawl delay starts at the previous request, no matter which site that went to.
    await setTimeout(Math.max(0, freeAt + pause - performance.now()), undefined, { signal })
    try {
      return await fetchPublic(url, {
        ...more,
        userAgent: USER_AGENT,
        ms: pageMs,
        signal,
      })
    } finally {
      freeAt = performance.now()
    }
  }

  async function requireLetIn(url: string) {
    const { origin } = new URL(url)
    let rules = rulesOf.get(origin)
    if (!rules) {
      const address = `${origin}/robots.txt`
      const text = await fetchInTurn(address, { maxBytes: ROBOTS_BYTES, isCut: true })
        .then((file) => file.body.toString('utf8').replace(/^\ufeff/, ''))
        .catch((error) => rulesWithout(error))
      signal.throwIfAborted()
      rules = robotsParser(address, text)
      rulesOf.set(origin, rules)
    }
    // `isAllowed` returns undefined for other origins, which also means no.
    if (url.length > ADDRESS_LENGTH_MAX || !rules.isAllowed(url, PROGRAM))
      throw new LeftAlone('robots.txt')
  }

  return async (url) => {
    await requireLetIn(url)
    const page = await fetchInTurn(url, { maxBytes: PAGE_BYTES, onRedirect: requireLetIn })
    return { html: pageText(page), url: page.url }
  }
}

/** The rules if there's no robots.txt. Rethrows if we mustn't request the address. */
function rulesWithout(error: unknown): string {
  if (!(error instanceof NotFetched)) return NONE_ALLOWED
  if (error.reason === 'not-public' || error.reason === 'not-the-web') throw error
  const isAbsent = error.status !== undefined && error.status >= 400 && error.status < 500
  return isAbsent ? ALL_ALLOWED : NONE_ALLOWED
}

const SENTENCES: Record<Exclude<NotFetched['reason'], 'status'>, (what: string) => string> = {
  redirects: (what) => `The ${what} redirects too many times`,
  'too-long': (what) => `The ${what} is too long`,
  'not-public': () => 'The address is on a private network, which we don’t access',
  'not-the-web': () => 'The address isn’t on the public web',
}

/** Tells people what failed, without revealing anything internal. */
export function fetchProblem(error: unknown, what: 'page' | 'feed' = 'page'): string {
  if (error instanceof LeftAlone) return 'The site asks programs not to read this page (robots.txt)'
  if (error instanceof NotFetched)
    return error.reason === 'status'
      ? `The ${what} returned status ${error.status}`
      : SENTENCES[error.reason](what)
  const { name, code } = error as { name?: string; code?: string }
  const isLate = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code ?? '')
  return isLate ? `The ${what} took too long` : `We couldn’t reach the ${what}`
}
