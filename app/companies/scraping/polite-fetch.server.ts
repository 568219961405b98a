/**
 * Reads pages of other sites as a guest should: one after the other, with a pause between them, and
 * nothing that their robots.txt asks programs to leave alone.
 */
import { setTimeout } from 'node:timers/promises'
import robotsParser from 'robots-parser'
import {
  type Fetched,
  type FetchPublic,
  MEGABYTE,
  NotFetched,
  pageText,
} from '#app/platform/http/public-fetch.server.ts'

/** Our product token, as robots.txt may name it. */
export const PROGRAM = 'KettleBot'
const USER_AGENT = `${PROGRAM}/1.0`
/** A page of market movers has about 1 MB. */
const PAGE_BYTES = 4 * MEGABYTE
/** RFC 9309 wants at least 500 KiB to be read. */
const ROBOTS_BYTES = MEGABYTE / 2

/** A longer address is nobody's page; how long rules take to match grows with it. */
const ADDRESS_LENGTH_MAX = 2_000
/** A file that is not there asks for nothing. RFC 9309 §2.3.1.3 */
const ALL_ALLOWED = ''
/** Who cannot say what they ask for is left alone. RFC 9309 §2.3.1.4 */
const NONE_ALLOWED = 'User-agent: *\nDisallow: /'

/** How long we wait, in milliseconds. */
export interface Pace {
  /** Between two requests. */
  delayMs: number
  /** At most, whatever a site asks for. */
  delayMaxMs: number
  /** For one page. */
  pageMs: number
  /** For all of a run. */
  wholeMs: number
}

export const USUAL_PACE: Pace = {
  delayMs: 1_000,
  delayMaxMs: 10_000,
  pageMs: 15_000,
  wholeMs: 150_000,
}

/** What robots.txt forbids. */
class LeftAlone extends Error {
  override name = 'LeftAlone'
}

/** A page's text and where it was. @throws what `sentenceOf` has a sentence for */
export type ReadPage = (url: string) => Promise<{ html: string; url: string }>

/** @param signal ends everything that is under way */
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
    // The pause that this site asks for counts from the request before it, whoever that went to.
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
    // Undefined, for another origin than the file's, is no yes.
    if (url.length > ADDRESS_LENGTH_MAX || !rules.isAllowed(url, PROGRAM))
      throw new LeftAlone('robots.txt')
  }

  return async (url) => {
    await requireLetIn(url)
    const page = await fetchInTurn(url, { maxBytes: PAGE_BYTES, onRedirect: requireLetIn })
    return { html: pageText(page), url: page.url }
  }
}

/** What holds where robots.txt was not answered; an address that we must not ask stays an error. */
function rulesWithout(error: unknown): string {
  if (!(error instanceof NotFetched)) return NONE_ALLOWED
  if (error.reason === 'not-public' || error.reason === 'not-the-web') throw error
  const isAbsent = error.status !== undefined && error.status >= 400 && error.status < 500
  return isAbsent ? ALL_ALLOWED : NONE_ALLOWED
}

const SENTENCES: Record<Exclude<NotFetched['reason'], 'status'>, string> = {
  redirects: 'The page redirects too many times',
  'too-long': 'The page is too long',
  'not-public': 'The address leads into a private network, and we read nothing there',
  'not-the-web': 'The address is not on the public web',
}

/** Why a page could not be read, for people; nothing of the inside. */
export function sentenceOf(error: unknown): string {
  if (error instanceof LeftAlone) return 'The site asks programs not to read this page (robots.txt)'
  if (error instanceof NotFetched)
    return error.reason === 'status'
      ? `The page answered with status ${error.status}`
      : SENTENCES[error.reason]
  const { name, code } = error as { name?: string; code?: string }
  const isLate = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code ?? '')
  return isLate ? 'The page took too long' : 'The page could not be reached'
}
