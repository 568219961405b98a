/** What became of the rows of an import, and what is said about it. No I/O here. */

/** Of each kind, so many are told one by one; the others are counted. */
export const TOLD_MAX = 100
/** Rows that `/functions/v1/import-companies-custom` takes at a time. */
export const FUNCTION_ROWS_MAX = 1_000
/** 50 MB: some 300,000 companies. */
export const IMPORT_FILE_MAX = 50 * 1024 * 1024
/** Larger imports ask nobody for logos: tens of thousands of jobs would keep all others waiting. */
export const LOGO_ROWS_MAX = 100

export type ImportFormat = 'csv' | 'json'

/** The company that a row is already: its name, and where it lives. */
export interface SameCompany {
  name: string
  path: string
}

export type RowOutcome =
  | { row: number; outcome: 'added'; company: SameCompany }
  /** Without `sameAs` it was here, and was deleted. */
  | { row: number; outcome: 'skipped'; name: string; sameAs?: SameCompany }
  | { row: number; outcome: 'failed'; reason: string }

export interface ImportReport {
  /** Rows that were looked at so far, and how many there are. */
  rows: number
  total: number
  added: number
  skipped: number
  failed: number
  /** The first of each. */
  skips: { row: number; name: string; sameAs: SameCompany }[]
  failures: { row: number; reason: string }[]
}

export const emptyReport = (total: number): ImportReport => ({
  rows: 0,
  total,
  added: 0,
  skipped: 0,
  failed: 0,
  skips: [],
  failures: [],
})

/** Counts what became of a row. */
export function note(report: ImportReport, outcome: RowOutcome) {
  report.rows++
  report[outcome.outcome]++
  if (outcome.outcome === 'skipped' && outcome.sameAs && report.skips.length < TOLD_MAX) {
    const { row, name, sameAs } = outcome
    report.skips.push({ row, name, sameAs })
  }
  if (outcome.outcome === 'failed' && report.failures.length < TOLD_MAX) {
    const { row, reason } = outcome
    report.failures.push({ row, reason })
  }
}

/** A line of the stream that a browser reads while its file is imported. */
export type ImportEvent =
  | { progress: { rows: number; total: number } }
  | { report: ImportReport }
  | { error: { code: string; message: string } }

/** Spec §5: nothing to import. */
export const NO_VALID_DATA = 'No valid data to import'

/** Spec §8, the row "Import". */
export const IMPORT_TEXTS = {
  importing: { title: 'Importing data' },
  done: (added: number) => ({
    title: 'Import successful',
    description: `Added ${added} new companies to the database`,
  }),
  failed: { title: 'Error importing companies' },
  doneResult: (added: number) => `Successfully imported ${added} new companies to the database.`,
  failedResult: (message: string) => `Error: ${message}`,
} as const

/** The failed rows of an import in one sentence; null when there are none. */
export function failuresSentence({ failed, rows, failures }: ImportReport): string | null {
  const [first] = failures
  if (!first) return null
  const count = failed === 1 ? '1 row' : `${failed} rows`
  const were = failed === 1 ? 'was' : 'were'
  return `${count} of ${rows} ${were} not imported. Row ${first.row}: ${first.reason}.`
}

/** What somebody begins a file with. */
export const IMPORT_TEMPLATE =
  'name,category,website,logo_url,description\r\n' +
  'Example Company,Technology,https://example.com,,What the company does in one sentence.\r\n'
