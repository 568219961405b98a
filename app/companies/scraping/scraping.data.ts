/** Spec §7.3. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { fetchAsMe } from '#app/kit/session/session.data.ts'
import { cutText } from '#app/kit/writing/text.ts'
import type { ScrapingContract } from './scraping.contract.ts'
import {
  CUT_SHORT,
  NO_ANSWER,
  SCRAPER_LIMIT,
  SCRAPER_STREAM,
  type ScraperLine,
  type ScraperResponse,
  type ScraperResult,
  type SentCompany,
  statusMessage,
} from './scraping.ts'

export const adminToolsQuery = (api: Client<ScrapingContract>) =>
  queryOptions({
    queryKey: [MY_KEY, 'admin-tools'],
    queryFn: () => api('GET /api/v1/admin-tools'),
  })

interface Watching {
  onFound: (found: number) => void
  onResult: (result: ScraperResult) => void
  signal: AbortSignal
}

/** Calls back for each company as we read it. @throws an error with a sentence */
export async function runScraper({
  onFound,
  onResult,
  signal,
}: Watching): Promise<ScraperResponse> {
  const response = await post(
    '/functions/v1/scrape-market-movers',
    { limit: SCRAPER_LIMIT },
    signal,
  )
  if (!response.ok) throw new Error(statusMessage(response.status, await bodyOf(response)))
  let answer: ScraperResponse | undefined
  for await (const line of linesOf(response)) {
    if ('found' in line) onFound(line.found)
    else if ('result' in line) onResult(line.result)
    else answer = line
  }
  if (!answer) throw new Error(CUT_SHORT)
  return answer
}

/** @returns how many were new, and what failed. @throws an error with a sentence */
export async function sendCompanies(companies: SentCompany[]) {
  const response = await post('/functions/v1/import-companies-custom', { companies })
  const text = await response.text()
  const answer = parsed(text) as { success?: boolean; imported?: number; error?: string | null }
  if (!response.ok || !answer?.success)
    throw new Error(
      answer?.error || statusMessage(response.status, cutText(text.trim(), BODY_SHOWN)),
    )
  return { imported: answer.imported ?? 0, error: answer.error ?? null }
}

/** A proxy's error page may be long. */
const BODY_SHOWN = 300

/** Our own message if there is one, else the body. */
async function bodyOf(response: Response) {
  const text = await response.text()
  const ours = parsed(text) as { error?: { message?: string } } | undefined
  return ours?.error?.message ?? cutText(text.trim(), BODY_SHOWN)
}

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetchAsMe(url, {
    method: 'POST',
    signal,
    headers: {
      accept: `${SCRAPER_STREAM}, application/json`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(NO_ANSWER)
  })

/** Lines of JSON as they arrive. An incomplete line waits for its end. */
async function* linesOf({ body }: Response): AsyncGenerator<ScraperLine> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error(CUT_SHORT)
      })
      if (done) return
      waiting += decoder.decode(value, { stream: true })
      const lines = waiting.split('\n')
      waiting = lines.pop() ?? ''
      for (const line of lines) if (line) yield JSON.parse(line)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
