import { IMPORT_REFUSALS } from '../importing/import-report.ts'
import {
  checkedCompany,
  fieldOf,
  type ImportField,
  type UncheckedCompany,
} from '../importing/imported-company.ts'

/** Types and texts of the scraper. Spec §3, §4, §5, §7.3, §8. Runs in the browser too: no I/O here. */

/** Companies per run. Spec §9. */
export const SCRAPER_LIMIT = 10

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

export interface ScraperResponse {
  results: ScraperResult[]
  error: string | null
}

/** A line of a streamed run; the last one is a `ScraperResponse`. */
export type ScraperLine = { found: number } | { result: ScraperResult } | ScraperResponse

/** Accepted type for a stream. */
export const SCRAPER_STREAM = 'application/x-ndjson'

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

export const NO_DATA = {
  title: 'No data to import',
  description: 'Please run the scraper first',
} as const

export const SCRAPER_REFUSALS = {
  forbidden: 'Only an administrator can run the scraper',
  running: 'The scraper is already running. Please wait until it’s done.',
} as const
export const NO_ANSWER = 'There was no response. Check your connection.'
export const CUT_SHORT = 'The connection ended before the scraper was done'

/** "Import is possible only after results exist and is disabled on error." Spec §4. */
export const mayImport = (state: ScraperState) => state === 'success'

/**
 * Results as editable text, and back: JSON with a field per line, because people can't type or see a tab in a text area.
 * Runs in the browser too: no I/O here.
 */
export const RESULTS_HINT =
  'You can edit or remove companies before you import them. The text is JSON. Each company has ' +
  'company, category, url, logo and firstSentence, in quotes.'

/** Only companies whose page we could read. Missing values are empty, so people can fill them in. */
export const resultsText = (results: ScraperResult[]) =>
  JSON.stringify(
    results
      .filter(({ error }) => error === null)
      .map(({ company, category, url, logo, firstSentence }) => ({
        company,
        category: category ?? '',
        url: url ?? '',
        logo: logo ?? '',
        firstSentence: firstSentence ?? '',
      })),
    null,
    2,
  )

/** A company as `/functions/v1/import-companies-custom` takes it. Spec §3. */
export type SentCompany = { [Field in ImportField]?: string }

/** @returns the companies, or a sentence about the first mistake. Spec §5. */
export function companiesIn(text: string): { companies: SentCompany[] } | { problem: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return {
      problem: `${notJson(text, error as Error)} Put each text in quotes and separate them with commas.`,
    }
  }
  if (!Array.isArray(parsed)) return { problem: 'The text must be a list: [ … ]' }
  const companies: SentCompany[] = []
  for (const [i, row] of parsed.entries()) {
    const found = companyIn(row)
    if ('problem' in found) return { problem: `Company ${i + 1}: ${found.problem}` }
    if (found.company) companies.push(found.company)
  }
  return companies.length > 0 ? { companies } : { problem: IMPORT_REFUSALS.noData }
}

/** Empty for a company without values, or whose page we couldn't read. */
function companyIn(row: unknown): { company?: SentCompany } | { problem: string } {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return { problem: 'it must be { … }' }
  const { error, ...rest } = row as Record<string, unknown>
  if (error) return {}
  const company: UncheckedCompany = {}
  for (const [key, value] of Object.entries(rest)) {
    const field = fieldOf(key)
    if (!field) return { problem: `there’s no field "${key}"` }
    if (field in company) return { problem: `"${key}" appears twice` }
    if (value !== null && typeof value !== 'string')
      return { problem: `"${key}" must be text in quotes` }
    if (value?.trim()) company[field] = value.trim()
  }
  if (Object.keys(company).length === 0) return {}
  try {
    checkedCompany(company)
  } catch (error) {
    return { problem: (error as Error).message }
  }
  return { company: company as SentCompany }
}

/** Browsers give a position or a line. */
function notJson(text: string, { message }: Error) {
  const position = /position (\d+)/.exec(message)?.[1]
  const line =
    position === undefined
      ? /line (\d+)/.exec(message)?.[1]
      : text.slice(0, Number(position)).split('\n').length
  return line === undefined ? 'This isn’t valid JSON.' : `This isn’t valid JSON. See line ${line}.`
}
