/** What became of the rows of an import, and what is said about it. No I/O here. */

import type { Reason } from './company-matching.ts'
import { companiesCounted } from './past-imports.ts'

/** Of each kind, so many are told one by one; the others are counted. */
export const TOLD_MAX = 100
/** Rows that `/functions/v1/import-companies-custom` takes at a time. */
export const FUNCTION_ROWS_MAX = 1_000
/** 50 MB: some 300,000 companies. */
export const IMPORT_FILE_MAX = 50 * 1024 * 1024
/** Larger imports ask nobody for logos: tens of thousands of jobs would keep all others waiting. */
export const LOGO_ROWS_MAX = 100

export type ImportFormat = 'csv' | 'json'

const FORMATS: Record<string, ImportFormat> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
}
export const FILE_ENDINGS = Object.keys(FORMATS).map((ending) => `.${ending}`)

/** By its ending: what browsers say of CSV files depends on the programs of the machine. */
export function formatOfFile(name: string): ImportFormat | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** Of a body that is a line of JSON with what was chosen, and the file behind it. */
export const PLANNED_IMPORT = 'application/x-planned-import'
/** What is asked for to hear of each batch. */
export const IMPORT_STREAM = 'application/x-ndjson'

/** The company that a row is already: its name, and where it lives. */
export interface SameCompany {
  name: string
  path: string
}

export interface FailedRow {
  row: number
  outcome: 'failed'
  reason: string
}

export type RowOutcome =
  | { row: number; outcome: 'added'; company: SameCompany }
  /**
   * With `because` it is only perhaps the same, and nobody said that it is not. Without `sameAs` it was
   * here, and was deleted.
   */
  | { row: number; outcome: 'skipped'; name: string; sameAs?: SameCompany; because?: Reason }
  | FailedRow

/** A row that is perhaps a company that is here. */
export interface Doubt {
  row: number
  name: string
  sameAs: SameCompany
  because: Reason
}

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
  /** Of those that were skipped, how many are only perhaps the same. */
  doubtful: number
  doubts: Doubt[]
  /** By it the import can be undone; absent when nothing was added. */
  importId?: string
}

/** What a row is, beside the companies that are here and the rows before it. */
export type Verdict =
  /** Where it will live its `place` says when it is there. */
  | { is: 'new'; place: SameCompany }
  | { is: 'same'; company: SameCompany }
  | { is: 'perhaps'; company: SameCompany; because: Reason }

/** What an import would do, before it does anything. */
export interface ImportTrial {
  rows: number
  fresh: number
  here: number
  doubtful: number
  failed: number
  /** The first of each. */
  freshRows: { row: number; name: string; category: string }[]
  hereRows: { row: number; name: string; sameAs: SameCompany }[]
  failures: { row: number; reason: string }[]
  /** All that can be decided at a time. */
  doubts: Doubt[]
}

/** More doubts are a matter for a smaller file. */
export const DOUBTS_MAX = 2_000

export const emptyReport = (total: number): ImportReport => ({
  rows: 0,
  total,
  added: 0,
  skipped: 0,
  failed: 0,
  skips: [],
  failures: [],
  doubtful: 0,
  doubts: [],
})

function tell<Row>(list: Row[], row: Row, max = TOLD_MAX) {
  if (list.length < max) list.push(row)
}

/** Counts what became of a row. */
export function note(report: ImportReport, outcome: RowOutcome) {
  report.rows++
  report[outcome.outcome]++
  const { row } = outcome
  if (outcome.outcome === 'failed') tell(report.failures, { row, reason: outcome.reason })
  if (outcome.outcome !== 'skipped' || !outcome.sameAs) return
  const { name, sameAs, because } = outcome
  if (because) {
    report.doubtful++
    tell(report.doubts, { row, name, sameAs, because })
  } else tell(report.skips, { row, name, sameAs })
}

export const emptyTrial = (): ImportTrial => ({
  rows: 0,
  fresh: 0,
  here: 0,
  doubtful: 0,
  failed: 0,
  freshRows: [],
  hereRows: [],
  failures: [],
  doubts: [],
})

type Tried =
  | { row: number; is: 'failed'; reason: string }
  | ({ row: number; name: string; category: string } & Verdict)

/** Counts what would become of a row. */
export function noteTried(trial: ImportTrial, tried: Tried) {
  trial.rows++
  const { row } = tried
  if (tried.is === 'failed') {
    trial.failed++
    tell(trial.failures, { row, reason: tried.reason })
  } else if (tried.is === 'new') {
    trial.fresh++
    tell(trial.freshRows, { row, name: tried.name, category: tried.category })
  } else if (tried.is === 'same') {
    trial.here++
    tell(trial.hereRows, { row, name: tried.name, sameAs: tried.company })
  } else {
    trial.doubtful++
    const { name, company: sameAs, because } = tried
    tell(trial.doubts, { row, name, sameAs, because }, DOUBTS_MAX)
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

/** What the steps of an import say. */
export const STEP_TEXTS = {
  paste: 'Or paste a table, as you copied it from a spreadsheet',
  readPasted: 'Read the table',
  pastedName: 'A pasted table',
  columns: 'Which column is what?',
  none: 'Left out',
  noName: 'Choose the column that holds the names.',
  twice: (field: string) => `Two columns cannot both be the ${field}.`,
  categories: 'Where do its categories belong?',
  categoriesHint: 'What you choose here is proposed the next time.',
  manyCategories:
    'There are too many different ones to choose for each: those that are here already are joined, the others are new.',
  asItIs: (category: string) => `New: ${category}`,
  look: 'See what would happen',
  looking: 'Looking...',
  trial: 'What would happen',
  back: 'Back to the columns',
  add: (count: number) => (count === 0 ? 'Nothing to add' : `Add ${companiesCounted(count)}`),
  doubts: 'Perhaps the same',
  doubtsHint: 'Those that you do not decide are left out.',
  same: 'The same',
  another: 'Another company',
  fresh: 'New',
  here: 'Here already',
  failed: 'Cannot be read',
  undo: 'Undo this import',
  undoing: 'Undoing...',
  again: 'Import another list',
  past: 'Imports so far',
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
