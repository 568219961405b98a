import { counted } from '#app/kit/ui/format.ts'
import type { Reason } from './company-matching.ts'
import {
  type CellOutcomeCounts,
  type CellOutcomes,
  changedBy,
  countOutcomes,
  type FillField,
} from './filling.ts'
import type { ImportField } from './imported-company.ts'
import type { UnclearCell, UnclearColumn } from './unclear-cells.ts'

/** Results of current and past imports, and their texts. No I/O here. */

/** How many rows per kind we list. We count the rest. */
const TOLD_MAX = 100
/** The most rows in a request to `/functions/v1/import-companies-custom`. */
export const FUNCTION_ROWS_MAX = 1_000
/** 50 MB are about 300,000 companies. */
export const IMPORT_FILE_MAX = 50 * 1024 * 1024
/** Larger imports don't fetch logos, because tens of thousands of tasks would block all others. */
export const LOGO_ROWS_MAX = 100

export type ImportFormat = 'csv' | 'json'

const FORMATS: Record<string, ImportFormat> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  psv: 'csv',
  tab: 'csv',
  dat: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
}
export const FILE_ENDINGS = Object.keys(FORMATS).map((ending) => `.${ending}`)

/** By file extension, because the type that browsers send depends on installed programs. */
export function formatOfFile(name: string): ImportFormat | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** The type of a body with a line of JSON before the file. */
export const PLANNED_IMPORT = 'application/x-planned-import'
/** The type that asks for a progress line per batch. */
export const IMPORT_STREAM = 'application/x-ndjson'

export interface SameCompany {
  name: string
  path: string
}
/** A company that's new in the file has no `path` until it exists. */
export interface KnownCompany extends SameCompany {
  id: string
}
export const shown = ({ name, path }: SameCompany): SameCompany => ({ name, path })

/** A cell that we left out of an added row. */
export interface OmittedCell {
  field: string
  reason: string
  /** If it can be read in two ways. */
  unclear?: UnclearCell & { field: ImportField }
}
type ShownCell = { row: number } & Omit<OmittedCell, 'unclear'>

/** Why a second share class's ticker is left out. */
export const oneTicker = (ticker: string, earlier: string) =>
  `A company has one ticker here. An earlier row gave ${earlier}, so we don’t use ${ticker}`

export interface FailedRow {
  row: number
  outcome: 'failed'
  reason: string
}

export type RowOutcome =
  | { row: number; outcome: 'added'; company: SameCompany; omittedCells?: OmittedCell[] }
  /**
   * With `because`, possibly the same company, and not decided. `cellOutcomes` are what its cells do if it's the same.
   * Without `sameAs`, added before and deleted since.
   */
  | {
      row: number
      outcome: 'skipped'
      name: string
      sameAs?: SameCompany
      because?: Reason
      cellOutcomes?: CellOutcomes
      omittedCells?: OmittedCell[]
    }
  | FailedRow

/** About a possible duplicate. */
export type Decision = 'same' | 'new'

export interface Doubt {
  row: number
  name: string
  sameAs: SameCompany
  because: Reason
}
/** A possible duplicate, with what happens to its cells if it's the same. */
export interface TriedDoubt extends Doubt {
  companyId: string
  /** What an administrator decided for an earlier list. */
  decided?: Decision
  cellOutcomes: CellOutcomes
}

/** A row about an existing company. */
interface ExistingRow {
  row: number
  name: string
  sameAs: SameCompany
  /** The fields that the row fills in or replaces. */
  changed: FillField[]
}

export interface ImportReport {
  /** Rows so far. `total` is all of them. */
  rows: number
  total: number
  added: number
  skipped: number
  failed: number
  /** The first of each kind. */
  skips: ExistingRow[]
  failures: { row: number; reason: string }[]
  /** How many skipped rows changed a company. */
  filled: number
  /** The skipped rows' cells by field. */
  fields: CellOutcomeCounts
  /** How many we skipped as possible duplicates. */
  doubtful: number
  doubts: Doubt[]
  /** Cells that we couldn't read. We read their rows without them. */
  omittedCount: number
  omittedCells: ShownCell[]
  /** The id that undoes the import. Absent if nothing changed. */
  importId?: string
}

/** What a row is, compared with existing companies and earlier rows. */
export type Verdict =
  | { is: 'new'; company: KnownCompany }
  | { is: 'same'; company: KnownCompany }
  | { is: 'perhaps'; company: KnownCompany; because: Reason; decided?: Decision }

export interface ImportTrial {
  rows: number
  newCount: number
  existingCount: number
  doubtful: number
  failed: number
  /** The first of each kind. */
  newRows: { row: number; name: string; category: string }[]
  existingRows: ExistingRow[]
  failures: { row: number; reason: string }[]
  /** Cells of rows about existing companies, by field. */
  fields: CellOutcomeCounts
  /** All possible duplicates, up to DOUBTS_MAX. */
  doubts: TriedDoubt[]
  omittedCount: number
  omittedCells: ShownCell[]
  /** What someone can say about whole columns. */
  unclear: UnclearColumn[]
}

/** With more possible duplicates, people need a smaller file. */
export const DOUBTS_MAX = 2_000

export const emptyReport = (total: number): ImportReport => ({
  rows: 0,
  total,
  added: 0,
  skipped: 0,
  failed: 0,
  skips: [],
  failures: [],
  filled: 0,
  fields: {},
  doubtful: 0,
  doubts: [],
  omittedCount: 0,
  omittedCells: [],
})

function tell<Row>(list: Row[], row: Row, max = TOLD_MAX) {
  if (list.length < max) list.push(row)
}

export function note(report: ImportReport, outcome: RowOutcome) {
  report.rows++
  report[outcome.outcome]++
  const { row } = outcome
  if (outcome.outcome === 'failed') return tell(report.failures, { row, reason: outcome.reason })
  recordOmitted(report, row, outcome.omittedCells)
  if (outcome.outcome !== 'skipped' || !outcome.sameAs) return
  const { name, sameAs, because, cellOutcomes } = outcome
  if (because) {
    report.doubtful++
    tell(report.doubts, { row, name, sameAs, because })
    return
  }
  const changed = changedBy(cellOutcomes)
  if (changed.length > 0) report.filled++
  countOutcomes(report.fields, cellOutcomes)
  tell(report.skips, { row, name, sameAs, changed })
}

function recordOmitted(
  counted: Pick<ImportReport, 'omittedCount' | 'omittedCells'>,
  row: number,
  cells: OmittedCell[] = [],
) {
  counted.omittedCount += cells.length
  for (const { field, reason } of cells) tell(counted.omittedCells, { row, field, reason })
}

export const emptyTrial = (): ImportTrial => ({
  rows: 0,
  newCount: 0,
  existingCount: 0,
  doubtful: 0,
  failed: 0,
  newRows: [],
  existingRows: [],
  failures: [],
  fields: {},
  doubts: [],
  omittedCount: 0,
  omittedCells: [],
  unclear: [],
})

/** Also of possible duplicates, because they may become the same. */
function recordUnclear({ unclear: columns }: ImportTrial, row: number, cells: OmittedCell[]) {
  for (const { unclear } of cells) {
    if (!unclear) continue
    const known = columns.find(({ about }) => about === unclear.about)
    if (known) known.count++
    else columns.push({ ...unclear, row, count: 1 })
  }
}

type Tried =
  | { row: number; is: 'failed'; reason: string }
  | ({
      row: number
      name: string
      category: string
      omittedCells: OmittedCell[]
      cellOutcomes: CellOutcomes
    } & Verdict)

export function noteTried(trial: ImportTrial, tried: Tried) {
  trial.rows++
  const { row } = tried
  if (tried.is !== 'failed') recordUnclear(trial, row, tried.omittedCells)
  if (tried.is === 'failed') {
    trial.failed++
    tell(trial.failures, { row, reason: tried.reason })
  } else if (tried.is === 'new') {
    trial.newCount++
    recordOmitted(trial, row, tried.omittedCells)
    tell(trial.newRows, { row, name: tried.name, category: tried.category })
  } else if (tried.is === 'same') {
    trial.existingCount++
    const { name, company, cellOutcomes } = tried
    recordOmitted(trial, row, tried.omittedCells)
    countOutcomes(trial.fields, cellOutcomes)
    tell(trial.existingRows, {
      row,
      name,
      sameAs: shown(company),
      changed: changedBy(cellOutcomes),
    })
  } else {
    trial.doubtful++
    const { name, company, because, decided, cellOutcomes } = tried
    const sameAs = shown(company)
    tell(
      trial.doubts,
      { row, name, sameAs, companyId: company.id, because, decided, cellOutcomes },
      DOUBTS_MAX,
    )
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
  utf32: 'This file is in UTF-32. Save it as UTF-8 and send it again.',
  twoColumns: (field: string, first = '', second = '') =>
    `Two columns could be the ${field}: "${first}" and "${second}"`,
  unclosedTitles: 'The titles open a quote that never closes',
  notJson: (row: number) => `Row ${row} isn’t valid JSON`,
  notXml: (row: number) => `Row ${row} isn’t valid XML`,
  webPage: 'This is a web page, not a feed',
  afterArray: 'There’s text after the end of the array',
  afterList: 'There’s text after the end of the file’s JSON',
  byColumns:
    'This file lists its columns one after the other. Save it with one object per company (in pandas, orient="records").',
  markup: 'This is a web page or XML, not a CSV or JSON file',
  endsInRow: (row: number) => `The file ends in the middle of row ${row}`,
  endsAfterRow: (row: number) => `The file is cut off after row ${row}`,
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

/** Null if nothing failed. */
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

export const companiesCounted = (count: number) => counted(count, 'company', 'companies')

export const fieldsCounted = (count: number) => counted(count, 'field')

interface UndoneCounts {
  removed: number
  keptCount: number
  putBack: number
  keptFields: number
}

export function undoneSentence({ removed, keptCount, putBack, keptFields }: UndoneCounts) {
  const undone = [
    (removed > 0 || putBack === 0) && `${companiesCounted(removed)} removed`,
    putBack > 0 && `${fieldsCounted(putBack)} put back`,
  ].filter(Boolean)
  return [
    `${keptCount + keptFields === 0 ? 'Undone: ' : ''}${undone.join(', ')}.`,
    keptCount > 0 && `${companiesCounted(keptCount)} stayed because people use ${them(keptCount)}.`,
    keptFields > 0 &&
      `${fieldsCounted(keptFields)} stayed because someone has changed ${them(keptFields)} since.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const them = (count: number) => (count === 1 ? 'it' : 'them')

/** An import's name in the administrators' log, such as "3 companies and facts of 2 companies from list.csv". */
export const importedText = (
  { added, filled }: { added: number; filled: number },
  source?: string | null,
) =>
  [
    added > 0 && companiesCounted(added),
    added > 0 && filled > 0 && 'and',
    filled > 0 && `facts of ${companiesCounted(filled)}`,
    source && `from ${source}`,
  ]
    .filter(Boolean)
    .join(' ')
