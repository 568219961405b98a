/**
 * Results as a text that people can change, and what they made of it: JSON, a field per line, because
 * a tab cannot be typed into a box, nor seen there. Runs in the browser too: no I/O here.
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
  'Change what you like before it is imported, or take a company out. The text is JSON: for each ' +
  'company its company, category, url, logo and firstSentence, in quotes.'

/** Those whose pages could be read; what is missing stands there empty, to be filled in. */
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

/** An imported company as `/functions/v1/import-companies-custom` takes it. Spec §3. */
export type SentCompany = { [Field in ImportField]?: string }

/** The companies of a text, or a sentence that says where it is wrong. Spec §5. */
export function companiesIn(text: string): { companies: SentCompany[] } | { problem: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return {
      problem: `${notJson(text, error as Error)} Texts stand in quotes, with commas between.`,
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

/** Nothing for a company of which nothing is said, or whose page could not be read. */
function companyIn(row: unknown): { company?: SentCompany } | { problem: string } {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return { problem: 'it must be { … }' }
  const { error, ...rest } = row as Record<string, unknown>
  if (error) return {}
  const given: GivenCompany = {}
  for (const [key, value] of Object.entries(rest)) {
    const field = fieldOf(key)
    if (!field) return { problem: `there is no field "${key}"` }
    if (field in given) return { problem: `"${key}" stands there twice` }
    if (value !== null && typeof value !== 'string')
      return { problem: `"${key}" must be a text in quotes` }
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

/** Browsers say where: as a place, or as a line. */
function notJson(text: string, { message }: Error) {
  const place = /position (\d+)/.exec(message)?.[1]
  const line =
    place === undefined
      ? /line (\d+)/.exec(message)?.[1]
      : text.slice(0, Number(place)).split('\n').length
  return line === undefined
    ? 'This is not valid JSON.'
    : `This is not valid JSON: see line ${line}.`
}
