/** Streams the rows of a file of companies or jobs. */
import { createReadStream } from 'node:fs'
import { badRequest } from '#app/platform/http/refusal.ts'
import { fieldsOfTitles, tidyTitle, titlesSentence, uniqueTitles } from './column-mapping.ts'
import { type CsvRecord, createCsvReader } from './csv-reader.server.ts'
import { DAMAGED, NOT_UTF8, textOf } from './file-text.server.ts'
import { IMPORT_REFUSALS, type ImportFormat } from './import-report.ts'
import { CELL_MAX, fieldOf } from './imported-company.ts'
import { createJsonReader, type JsonRow } from './json-reader.server.ts'

/** A row's values, or why we can't read it. */
export interface FileRow {
  /** The number in a spreadsheet, or from 1 in JSON. */
  row: number
  given?: unknown
  /** Why we can't read a field's cell. */
  unread?: Record<string, string>
  problem?: string
}

/** What a file's columns or keys mean. */
export interface FileTable {
  fieldOf(title: string): string | undefined
  /** Maps all titles of a table at once. */
  fieldsOf?(titles: string[]): (string | undefined)[]
  /** A table must have at least one of these columns. */
  needs: readonly string[]
  howToBegin: string
  /** The most characters in a cell. */
  cellMax: number
}

const COMPANIES: FileTable = {
  fieldOf,
  fieldsOf: fieldsOfTitles,
  needs: ['name', 'website'],
  howToBegin: 'The first row must name the columns: name, category, website, logo_url, description',
  cellMax: CELL_MAX,
}

/** Reads every column under its own title, so a person can choose. */
export const AS_TITLED: FileTable = {
  ...COMPANIES,
  fieldOf: (title) => tidyTitle(title) || undefined,
  fieldsOf: uniqueTitles,
  needs: [],
}

/** Reads the columns that a person chose by their titles in `AS_TITLED`. */
export const chosenTable = (columns: Record<string, string | undefined>): FileTable => {
  const chosen = new Map(Object.entries(columns))
  return {
    ...COMPANIES,
    fieldOf: (title) => chosen.get(tidyTitle(title)),
    fieldsOf: (titles) => uniqueTitles(titles).map((title) => chosen.get(title)),
  }
}

interface Reader {
  read(text: string): FileRow[]
  end(): FileRow[]
}

/**
 * @param start byte offset of the file, after a plan
 * @throws Refusal bad-request, naming the row, if we can't read the file to its end
 */
export const rowsOfFile = (path: string, format: ImportFormat, table = COMPANIES, start = 0) =>
  rowsIn(createReadStream(path, { start }), format, table)

export async function* rowsIn(
  chunks: AsyncIterable<Buffer>,
  format: ImportFormat,
  table = COMPANIES,
): AsyncGenerator<FileRow> {
  const reader = format === 'csv' ? csvRows(table) : jsonRows(table)
  for await (const text of textOf(chunks)) yield* reader.read(text)
  yield* reader.end()
}

function jsonRows(table: FileTable): Reader {
  const reader = createJsonReader()
  return {
    read: (text) => reader.read(text).map((row) => rowOfJson(row, table)),
    end() {
      reader.end()
      return []
    },
  }
}

function rowOfJson({ row, value, problem }: JsonRow, { fieldOf }: FileTable): FileRow {
  if (problem) return { row, problem }
  const given: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value as object)) {
    const name = fieldOf(key)
    // If two keys mean the same, the first non-empty one counts.
    if (name && given[name] == null) given[name] = field
  }
  return { row, given }
}

const SEPARATORS = [',', ';', '\t', '|']
/** A text without a line end within this many characters isn't a table. */
const HEAD_MAX = 20_000

function csvRows(table: FileTable): Reader {
  let head = ''
  let rows: ((records: CsvRecord[]) => FileRow[]) | undefined
  let reader = createCsvReader(',')

  function open() {
    const separator = separatorOf(head, table)
    reader = createCsvReader(separator, table.cellMax)
    let columns: (string | undefined)[] | undefined
    rows = (records) =>
      records.flatMap((record) => {
        const isEmpty =
          record.cells.every((cell) => cell.trim() === '') && record.tooLong.length === 0
        if (isEmpty || (!columns && SAYS_SEPARATOR.test(record.cells.join(separator)))) return []
        if (columns) return [rowOfCsv(record, columns, table)]
        columns = columnsOf(record.cells, table)
        return []
      })
    const text = head
    head = ''
    return rows(reader.read(text))
  }

  return {
    read(text) {
      if (rows) return rows(reader.read(text))
      head += text
      return head.length > HEAD_MAX || hasHeader(head) ? open() : []
    },
    end() {
      const before = rows ? [] : open()
      return [...before, ...(rows?.(reader.end()) ?? [])]
    },
  }
}

/** Excel's own first line: "sep=;". */
const SAYS_SEPARATOR = /^sep=(.?)$/i

const SEPARATOR_LINE = /^\s*sep=.\r?\n/i

/** Whether a non-blank line ends here, outside of quotes. */
function hasHeader(head: string) {
  const text = head.replace(SEPARATOR_LINE, '').trimStart()
  let isInQuotes = false
  for (const character of text) {
    if (character === '"') isInQuotes = !isInQuotes
    else if (!isInQuotes && (character === '\n' || character === '\r')) return true
  }
  return false
}

/** The separator with the most known columns in the first line, or otherwise with the most columns. */
function separatorOf(head: string, { fieldOf }: FileTable): string {
  const declared = /^\s*sep=(.)\r?\n/i.exec(head)?.[1]
  if (declared && SEPARATORS.includes(declared)) return declared
  const text = head.replace(SEPARATOR_LINE, '')
  const known = SEPARATORS.map((separator) => {
    const reader = createCsvReader(separator)
    const records = [...reader.read(text), ...reader.end()]
    const titles = records.find(({ cells }) => cells.some((cell) => cell.trim() !== ''))?.cells
    return (titles?.filter((title) => fieldOf(title)).length ?? 0) + (titles?.length ?? 0) / 1000
  })
  return SEPARATORS[known.indexOf(Math.max(...known))] ?? ','
}

function columnsOf(titles: string[], table: FileTable) {
  const columns = table.fieldsOf?.(titles) ?? titles.map((title) => table.fieldOf(title))
  const twice = columns.findIndex((field, i) => field && columns.indexOf(field) !== i)
  const field = columns[twice]
  if (field) {
    const first = titles[columns.indexOf(field)]?.trim()
    throw badRequest(IMPORT_REFUSALS.twoColumns(field, first, titles[twice]?.trim()))
  }
  const { needs, howToBegin } = table
  if (needs.length > 0 && !needs.some((column) => columns.includes(column)))
    throw badRequest(`${titlesSentence(titles, needs[0] as string)}. ${howToBegin}`)
  return columns
}

const UNCLOSED = {
  alone: 'This row opens a quote that never closes',
  'with-others':
    'This row opens a quote that never closes, and the text after it is too long to read',
} as const

function rowOfCsv(
  { row, cells, tooLong, unclosed }: CsvRecord,
  columns: (string | undefined)[],
  { cellMax }: FileTable,
): FileRow {
  if (unclosed) return { row, problem: UNCLOSED[unclosed] }
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return { row, problem: 'This row has more cells than the first one. Is a quote missing?' }
  const given: Record<string, unknown> = {}
  const unread: Record<string, string> = {}
  columns.forEach((field, i) => {
    if (!field) return
    const cell = cells[i] ?? ''
    if (tooLong.includes(i))
      unread[field] = `This cell has more than ${cellMax.toLocaleString('en')} characters`
    else if (cell.includes(DAMAGED)) unread[field] = NOT_UTF8
    else given[field] = withoutFormula(cell)
  })
  return { row, given, ...(Object.keys(unread).length > 0 && { unread }) }
}

/** Our own files escape formulas with an apostrophe: see platform/csv.server.ts. Others keep zeros by `="007"`. */
const withoutFormula = (cell: string) =>
  /^'(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(cell)
    ? cell.slice(1)
    : cell.replace(/^="([^"]*)"$/, '$1')
