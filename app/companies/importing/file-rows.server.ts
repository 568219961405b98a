/** The rows of a file of companies, or of jobs, one after the other, however large it is. */
import { createReadStream } from 'node:fs'
import { badRequest } from '#app/platform/http/refusal.ts'
import { type CsvRecord, createCsvReader } from './csv-reader.server.ts'
import { DAMAGED, NOT_UTF8, textOf } from './file-text.server.ts'
import { fieldsOfTitles, tidyTitle, titlesSentence, uniqueTitles } from './import-columns.ts'
import type { ImportFormat } from './import-report.ts'
import { CELL_MAX, fieldOf } from './imported-company.ts'
import { createJsonReader, type JsonRow } from './json-reader.server.ts'

/** A row as it stands in the file: what it gives, or why it cannot be read. */
export interface FileRow {
  /** As a spreadsheet numbers it; in JSON from 1. */
  row: number
  given?: unknown
  problem?: string
}

/** What the columns or keys of a file mean. */
export interface FileTable {
  fieldOf(title: string): string | undefined
  /** Of all titles of a table, where they are looked at together. */
  fieldsOf?(titles: string[]): (string | undefined)[]
  /** One of these columns there must be. */
  needs: readonly string[]
  howToBegin: string
  /** Characters of a cell. */
  cellMax: number
}

const COMPANIES: FileTable = {
  fieldOf,
  fieldsOf: fieldsOfTitles,
  needs: ['name', 'website'],
  howToBegin: 'The first row must name the columns: name, category, website, logo_url, description',
  cellMax: CELL_MAX,
}

/** Every column under its own title: what a person chooses from. */
export const AS_TITLED: FileTable = {
  ...COMPANIES,
  fieldOf: (title) => tidyTitle(title) || undefined,
  fieldsOf: uniqueTitles,
  needs: [],
}

/** Columns that a person chose, by their titles in `AS_TITLED`. */
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
 * @param start the byte at which the file begins: what is sent has a plan before it
 * @throws Refusal bad-request for a file that cannot be read to its end; it names the row
 */
export const rowsOfFile = (path: string, format: ImportFormat, table = COMPANIES, start = 0) =>
  rowsIn(createReadStream(path, { start }), format, table)

/** The same of bytes from anywhere. */
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
    // Of two that mean the same, the first that says something.
    if (name && given[name] == null) given[name] = field
  }
  return { row, given }
}

const SEPARATORS = [',', ';', '\t']
/** Titles of columns are short: what has no line end for so long is no table. */
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
        const isEmpty = record.cells.every((cell) => cell.trim() === '') && !record.isTooLong
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

/** Whether a line ends here that is not blank, outside of quotes. */
function hasHeader(head: string) {
  const text = head.replace(SEPARATOR_LINE, '').trimStart()
  let isInQuotes = false
  for (const character of text) {
    if (character === '"') isInQuotes = !isInQuotes
    else if (!isInQuotes && (character === '\n' || character === '\r')) return true
  }
  return false
}

/** The one that makes the most known columns of the first line, else the most columns. */
function separatorOf(head: string, { fieldOf }: FileTable): string {
  const said = /^\s*sep=(.)\r?\n/i.exec(head)?.[1]
  if (said && SEPARATORS.includes(said)) return said
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
    throw badRequest(`Two columns could be the ${field}: "${first}" and "${titles[twice]?.trim()}"`)
  }
  const { needs, howToBegin } = table
  if (needs.length > 0 && !needs.some((column) => columns.includes(column)))
    throw badRequest(`${titlesSentence(titles, needs[0] as string)}. ${howToBegin}`)
  return columns
}

const UNCLOSED = {
  alone: 'A quote that opens in this row is never closed',
  'with-others':
    'A quote that opens in this row is never closed, and too much stands behind it to be read',
} as const

function rowOfCsv(
  { row, cells, isTooLong, unclosed }: CsvRecord,
  columns: (string | undefined)[],
  { cellMax }: FileTable,
): FileRow {
  if (unclosed) return { row, problem: UNCLOSED[unclosed] }
  if (cells.some((cell) => cell.includes(DAMAGED))) return { row, problem: NOT_UTF8 }
  if (isTooLong)
    return {
      row,
      problem: `A cell of this row has more than ${cellMax.toLocaleString('en')} characters`,
    }
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return { row, problem: 'This row has more cells than the first one. Is a quote missing?' }
  const given: Record<string, unknown> = {}
  columns.forEach((field, i) => {
    if (field) given[field] = withoutApostrophe(cells[i] ?? '')
  })
  return { row, given }
}

/** Our own files have one before what a spreadsheet would calculate: see tracking/csv-text.ts. */
const withoutApostrophe = (cell: string) =>
  /^'(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(cell) ? cell.slice(1) : cell
