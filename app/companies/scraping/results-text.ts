/**
 * Results as editable text, and back: JSON with a field per line, as a tab can't be typed into a text area or seen there.
 * Runs in the browser too: no I/O here.
 */
import { NO_VALID_DATA } from '../importing/import-report.ts'
import {
  checkedCompany,
  fieldOf,
  type GivenCompany,
  type ImportField,
} from '../importing/imported-company.ts'
import type { ScraperResult } from './scraping.ts'

export const RESULTS_HINT =
  'Edit this before you import it, or remove companies. The text is JSON. Each company has ' +
  'company, category, url, logo and firstSentence, in quotes.'

/** Only pages that could be read; missing values are empty, to be filled in. */
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

/** As `/functions/v1/import-companies-custom` takes it. Spec §3. */
export type SentCompany = { [Field in ImportField]?: string }

/** @returns the companies, or a sentence about the first mistake. Spec §5. */
export function companiesIn(text: string): { companies: SentCompany[] } | { problem: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return {
      problem: `${notJson(text, error as Error)} Put texts in quotes, separated by commas.`,
    }
  }
  if (!Array.isArray(parsed)) return { problem: 'The text must be a list: [ … ]' }
  const companies: SentCompany[] = []
  for (const [i, row] of parsed.entries()) {
    const found = companyIn(row)
    if ('problem' in found) return { problem: `Company ${i + 1}: ${found.problem}` }
    if (found.company) companies.push(found.company)
  }
  return companies.length > 0 ? { companies } : { problem: NO_VALID_DATA }
}

/** Empty for a company without values, or whose page couldn't be read. */
function companyIn(row: unknown): { company?: SentCompany } | { problem: string } {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return { problem: 'it must be { … }' }
  const { error, ...rest } = row as Record<string, unknown>
  if (error) return {}
  const given: GivenCompany = {}
  for (const [key, value] of Object.entries(rest)) {
    const field = fieldOf(key)
    if (!field) return { problem: `there’s no field "${key}"` }
    if (field in given) return { problem: `"${key}" is there twice` }
    if (value !== null && typeof value !== 'string')
      return { problem: `"${key}" must be text in quotes` }
    if (value?.trim()) given[field] = value.trim()
  }
  if (Object.keys(given).length === 0) return {}
  try {
    checkedCompany(given)
  } catch (error) {
    return { problem: (error as Error).message }
  }
  return { company: given as SentCompany }
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
