/** Types and texts of the scraper. Texts are those of Spec §8. Runs in the browser too: no I/O here. */

/** Companies per run. Spec §9. */
export const SCRAPER_LIMIT = 10

/** Spec §3. */
export interface ScraperResult {
  company: string
  category: string | null
  /** The company's own website. */
  url: string | null
  logo: string | null
  firstSentence: string | null
  /** A sentence, if its page couldn't be read. */
  error: string | null
}

/** Spec §7.3. */
export interface ScraperResponse {
  results: ScraperResult[]
  error: string | null
}

/** A line of a streamed run; the last one is a `ScraperResponse`. */
export type ScraperLine = { found: number } | { result: ScraperResult } | ScraperResponse

/** Accepted type for a stream. */
export const SCRAPER_STREAM = 'application/x-ndjson'

/** Spec §4. */
export type ScraperState = 'idle' | 'loading' | 'success' | 'error'

export const UNAUTHORIZED = {
  title: 'Unauthorized',
  description: "You don't have permission to access this page",
  variant: 'destructive',
} as const

export const SCRAPER_STARTED = {
  title: 'Scraper started',
  description: 'This may take a minute to complete, please be patient.',
} as const
export const scraperCompleted = (found: number) => ({
  title: 'Scraper completed',
  description: `Found ${found} companies`,
})
export const SCRAPER_FAILED = 'Error running scraper'
export const TRY_LATER = 'Please try again later.'

/** @param body of the response, '' if empty */
export const statusMessage = (status: number, body: string) =>
  `API returned status ${status}: ${body || 'Unknown error'}`
export const errorText = (message: string) => `Error: ${message}`

/** Spec §5. */
export const NO_DATA = {
  title: 'No data to import',
  description: 'Please run the scraper first',
} as const

export const ADMINISTRATORS_ONLY = 'Only an administrator can run the scraper'
export const RUNS_ALREADY = 'The scraper is already running. Please wait until it’s done.'
export const NO_ANSWER = 'There was no response. Check your connection.'
export const CUT_SHORT = 'The connection ended before the scraper was done'

/** "Import is possible only after results exist and is disabled on error." Spec §4. */
export const mayImport = (state: ScraperState) => state === 'success'
