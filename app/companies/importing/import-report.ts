import type { Reason } from './company-matching.ts'

/** Results of imports, present and past, and their texts. No I/O here. */

/** Rows that are listed per kind; the rest is counted. */
const TOLD_MAX = 100
/** Rows per request of `/functions/v1/import-companies-custom`. */
export const FUNCTION_ROWS_MAX = 1_000
/** 50 MB: some 300,000 companies. */
export const IMPORT_FILE_MAX = 50 * 1024 * 1024
/** Larger imports fetch no logos: tens of thousands of tasks would block all others. */
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

/** By file extension: the type that browsers send depends on installed programs. */
export function formatOfFile(name: string): ImportFormat | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** Type of a body that has a line of JSON before the file. */
export const PLANNED_IMPORT = 'application/x-planned-import'
/** Accepted type for a progress line per batch. */
export const IMPORT_STREAM = 'application/x-ndjson'

export interface SameCompany {
  name: string
  path: string
}

/** A cell that wasn't taken, though its row was. */
export interface OmittedCell {
  field: string
  reason: string
}

export interface FailedRow {
  row: number
  outcome: 'failed'
  reason: string
}

export type RowOutcome =
  | { row: number; outcome: 'added'; company: SameCompany; leftOut?: OmittedCell[] }
  /** `because`: possibly the same, and not decided. Without `sameAs` it was added before, and deleted. */
  | { row: number; outcome: 'skipped'; name: string; sameAs?: SameCompany; because?: Reason }
  | FailedRow

export interface Doubt {
  row: number
  name: string
  sameAs: SameCompany
  because: Reason
}

export interface ImportReport {
  /** Rows so far; `total` in all. */
  rows: number
  total: number
  added: number
  skipped: number
  failed: number
  /** The first of each kind. */
  skips: { row: number; name: string; sameAs: SameCompany }[]
  failures: { row: number; reason: string }[]
  /** Skipped as possible duplicates. */
  doubtful: number
  doubts: Doubt[]
  /** Cells that couldn't be read; their rows were added without them. */
  leftOut: number
  leftOuts: ({ row: number } & OmittedCell)[]
  /** Undoes the import; absent if nothing was added. */
  importId?: string
}

/** What a row is, compared with existing companies and earlier rows. */
export type Verdict =
  /** `path` is filled in once it exists. */
  | { is: 'new'; company: SameCompany }
  | { is: 'same'; company: SameCompany }
  | { is: 'perhaps'; company: SameCompany; because: Reason }

export interface ImportTrial {
  rows: number
  fresh: number
  here: number
  doubtful: number
  failed: number
  /** The first of each kind. */
  freshRows: { row: number; name: string; category: string }[]
  hereRows: { row: number; name: string; sameAs: SameCompany }[]
  failures: { row: number; reason: string }[]
  /** All, up to DOUBTS_MAX. */
  doubts: Doubt[]
  leftOut: number
  leftOuts: ({ row: number } & OmittedCell)[]
}

/** More need a smaller file. */
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
  leftOut: 0,
  leftOuts: [],
})

function tell<Row>(list: Row[], row: Row, max = TOLD_MAX) {
  if (list.length < max) list.push(row)
}

export function note(report: ImportReport, outcome: RowOutcome) {
  report.rows++
  report[outcome.outcome]++
  const { row } = outcome
  if (outcome.outcome === 'added') recordOmitted(report, row, outcome.leftOut)
  if (outcome.outcome === 'failed') tell(report.failures, { row, reason: outcome.reason })
  if (outcome.outcome !== 'skipped' || !outcome.sameAs) return
  const { name, sameAs, because } = outcome
  if (because) {
    report.doubtful++
    tell(report.doubts, { row, name, sameAs, because })
  } else tell(report.skips, { row, name, sameAs })
}

function recordOmitted(
  counted: Pick<ImportReport, 'leftOut' | 'leftOuts'>,
  row: number,
  cells: OmittedCell[] = [],
) {
  counted.leftOut += cells.length
  for (const cell of cells) tell(counted.leftOuts, { row, ...cell })
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
  leftOut: 0,
  leftOuts: [],
})

type Tried =
  | { row: number; is: 'failed'; reason: string }
  | ({ row: number; name: string; category: string; leftOut: OmittedCell[] } & Verdict)

export function noteTried(trial: ImportTrial, tried: Tried) {
  trial.rows++
  const { row } = tried
  if (tried.is === 'failed') {
    trial.failed++
    tell(trial.failures, { row, reason: tried.reason })
  } else if (tried.is === 'new') {
    trial.fresh++
    recordOmitted(trial, row, tried.leftOut)
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

/** A line of the progress stream. */
export type ImportEvent =
  | { progress: { rows: number; total: number } }
  | { report: ImportReport }
  | { error: { status: number; code: string; message: string } }

export const IMPORT_REFUSALS = {
  forbidden: 'Only an administrator can import companies',
  forbiddenToAdd: 'Only an administrator can add a company',
  /** Spec §5. */
  noData: 'No valid data to import',
  notFound: 'We couldn’t find this import',
  undone: 'This import was undone. Start a new one.',
  busy: 'Another import is running. Please wait until it’s done.',
  noFile: 'Please send a file',
  otherType: 'Please send a CSV or JSON file',
  noPlan: 'The first line must say how to read the file',
  tooLarge: `A file can be at most ${IMPORT_FILE_MAX / 1024 / 1024} MB`,
  cutOff: 'The upload was cut off',
  workbook: 'This is a workbook, not a CSV file.',
  archive: 'This is a ZIP archive, not a CSV file. Unpack it and send the file inside.',
  notText: 'This isn’t a text file',
  twoColumns: (field: string, first = '', second = '') =>
    `Two columns could be the ${field}: "${first}" and "${second}"`,
  notJson: (row: number) => `Row ${row} isn’t valid JSON`,
  afterArray: 'There’s text after the end of the array',
  endsInRow: (row: number) => `The file ends in the middle of row ${row}`,
  tooMuch: 'Please send fewer companies at a time',
  otherBody: 'Please send JSON',
  brokenBody: 'This isn’t valid JSON',
  noCompanies: 'Please send { "companies": [ … ] }',
  tooMany: `Please send at most ${FUNCTION_ROWS_MAX.toLocaleString('en')} companies`,
} as const

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

/** Null without failures. */
export function failuresSentence({ failed, rows, failures }: ImportReport): string | null {
  const [first] = failures
  if (!first) return null
  const count = failed === 1 ? '1 row' : `${failed} rows`
  const were = failed === 1 ? 'was' : 'were'
  return `${count} of ${rows} ${were} not imported. Row ${first.row}: ${first.reason}.`
}

export const IMPORT_TEMPLATE =
  'name,category,website,logo_url,description\r\n' +
  'Example Company,Technology,https://example.com,,What the company does in one sentence.\r\n'

export const companiesCounted = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'company' : 'companies'}`

export const undoneSentence = ({ removed, keptCount }: { removed: number; keptCount: number }) =>
  keptCount === 0
    ? `Undone: ${companiesCounted(removed)} removed.`
    : `${companiesCounted(removed)} removed. ${companiesCounted(keptCount)} stayed because people use them.`

/** How the administrators' log names an import: "3 companies from list.csv". */
export const importedText = (count: number, source?: string | null) =>
  `${companiesCounted(count)}${source ? ` from ${source}` : ''}`
