/** Streams the rows of a file of companies or jobs. */
import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { badRequest } from '#app/platform/http/refusal.ts'
import {
  columnTitle,
  fieldsOfTitles,
  guessOf,
  tidyTitle,
  titlesSentence,
  uniqueTitles,
} from './column-mapping.ts'
import type { CsvRecord } from './csv-reader.server.ts'
import {
  cutAt,
  fits,
  HEAD_MAX,
  type Layout,
  layoutOf,
  type Row,
  readerFor,
  saysNothing,
  shown,
  titlesIn,
} from './file-layout.server.ts'
import {
  EACH_VALUE,
  type Encoding,
  questionSentence,
  type Reading,
  type ReadingQuestion,
  ROOT_LIST,
} from './file-reading.ts'
import { DAMAGED, encodingOf, lostSentence, textOf, textOfXml } from './file-text.server.ts'
import { IMPORT_REFUSALS, type ImportFormat } from './import-report.ts'
import { CELL_MAX, fieldOf, type ImportField } from './imported-company.ts'
import { createJsonReader, type JsonRow } from './json-reader.server.ts'
import { shapeOf } from './json-walk.server.ts'
import { createXmlReader } from './xml-reader.server.ts'

/** Only jobs come as XML. */
export type FileFormat = ImportFormat | 'xml'

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
  /** Whether a first row with this title has titles. Default: those with a field. */
  isTitle?(title: string): boolean
  /** A table must have at least one of these columns. */
  needs: readonly string[]
  howToBegin: string
  /** What an object of JSON wraps. Undefined for one that's no row. */
  rowIn?(value: object): object | undefined
  /** The most characters in a cell. */
  cellMax: number
  /** Whether an object within an object gives columns such as "address.city". */
  isFlat?: boolean
}

const COMPANIES: FileTable = {
  fieldOf: (title) => fieldOf(withoutWrapper(title)),
  fieldsOf: fieldsOfTitles,
  isTitle: (title) => guessOf(title) !== undefined,
  needs: ['name', 'website'],
  howToBegin: 'The first row must name the columns: name, category, website, logo_url, description',
  cellMax: CELL_MAX,
  isFlat: true,
}

/** Databases and APIs put each company into an object of its own. */
const withoutWrapper = (title: string) =>
  title.replace(
    /^(?:_source|attributes|fields|node|properties|item|company|organi[sz]ation)\./i,
    '',
  )

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
    isTitle: (title) => chosen.has(tidyTitle(title)),
  }
}

/** Reads the columns in this order, whatever their titles. */
export const orderedTable = (fields: (ImportField | undefined)[]): FileTable => ({
  ...COMPANIES,
  fieldOf: () => undefined,
  fieldsOf: (titles) => titles.map((_, i) => fields[i]),
})

/** A file that can be read from its beginning each time. */
export interface FileSource {
  bytes(): AsyncIterable<Buffer>
  format: ImportFormat
}

/** @param start byte offset of the file, after a plan */
export const fileAt = (path: string, format: ImportFormat, start = 0): FileSource => ({
  bytes: () => createReadStream(path, { start }),
  format,
})

/** How we read a file. */
export interface KnownReading {
  encoding: Encoding
  /** Of a table. */
  layout?: Layout
  /** Of JSON. */
  list?: string
}

/** As people can choose it. */
export const readingOf = ({ encoding, layout, list }: KnownReading): Reading => ({
  encoding,
  ...(layout && list === undefined && { separator: layout.separator }),
  ...(layout && { titles: layout.titles }),
  ...(list !== undefined && { list }),
})

export type Recognised = { known: KnownReading } | { question: ReadingQuestion }

/**
 * What someone chose, and what we recognise ourselves. It asks if a file can be read in several ways.
 * @throws Refusal bad-request if we can't read it
 */
export async function recognise(
  source: FileSource,
  given: Reading = {},
  table = COMPANIES,
): Promise<Recognised> {
  const found = given.encoding ? { encoding: given.encoding } : await encodingOf(source.bytes())
  if ('question' in found) return found
  const { encoding } = found
  const { head, isCut } = await headOf(source, encoding)
  if (isJson(head, source.format)) return recogniseJson({ source, encoding, head }, given, table)
  if (/^\s*<[!?a-z]/i.test(head)) throw badRequest(IMPORT_REFUSALS.markup)
  const layout = layoutOf(head, given, { isCut, isKnown: (title) => isTitleIn(table, title) })
  if ('layout' in layout) return { known: { encoding, layout: layout.layout } }
  const { question } = layout
  if (question.about !== 'titles' || table.needs.length === 0) return { question }
  // Without known titles, the refusal says which ones there are.
  return recognise(source, { ...given, titles: Number(question.choices[0]?.value) }, table)
}

/** @throws Refusal bad-request with the question, too */
export async function requireReading(source: FileSource, given?: Reading, table?: FileTable) {
  const recognised = await recognise(source, given, table)
  if ('question' in recognised) throw badRequest(questionSentence(recognised.question))
  return recognised.known
}

const isTitleIn = (table: FileTable, title: string) =>
  table.isTitle?.(title) ?? table.fieldOf(title) !== undefined

async function headOf(source: FileSource, encoding: Encoding) {
  let head = ''
  for await (const text of textOf(source.bytes(), encoding)) {
    head += text
    if (head.length > HEAD_MAX) return { head: head.slice(0, HEAD_MAX), isCut: true }
  }
  return { head, isCut: false }
}

/** By content, because many files have a wrong ending. */
const isJson = (head: string, format: ImportFormat) =>
  format === 'json' ? /^\s*[[{]/.test(head) : /^\s*(?:\[\s*[[{"\]]|\{\s*["}])/.test(head)

interface JsonFile {
  source: FileSource
  encoding: Encoding
  head: string
}

async function recogniseJson(
  file: JsonFile,
  given: Reading,
  table: FileTable,
): Promise<Recognised> {
  const { encoding } = file
  const list = given.list ?? (await listIn(file, table))
  if (typeof list !== 'string') return { question: list }
  const rows = tableRows(await firstValues(file, list, ROWS_SEEN))
  if (!rows) return { known: { encoding, list } }
  const titles =
    given.titles ??
    (rows.some(({ cells }) => cells.length > 1)
      ? titlesIn(rows, (title) => isTitleIn(table, title))
      : 0)
  if (typeof titles !== 'number') return { question: { about: 'titles', choices: titles } }
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  return { known: { encoding, list, layout: { separator: ',', titles, width } } }
}

const ROWS_SEEN = 50
const ROWS_SHOWN = 3

/** Rows of arrays, or of texts. Undefined for rows of objects. */
function tableRows(values: unknown[]): Row[] | undefined {
  if (values.length === 0 || values.some(isObject)) return undefined
  return values.map((value, i) => ({ row: i + 1, cells: cellsOf(value).map(textOfCell) }))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const cellsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const textOfCell = (cell: unknown) =>
  cell == null ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell)

/** Where a JSON file's rows are, or what to ask. @throws Refusal bad-request for columns instead of rows */
async function listIn(file: JsonFile, table: FileTable): Promise<string | ReadingQuestion> {
  const isArray = /^\s*\[/.test(file.head)
  const shape = await shapeOf(textOf(file.source.bytes(), file.encoding))
  if (isArray) return shape && shape.values > 1 && shape.isFlat ? EACH_VALUE : ROOT_LIST
  if (!shape || shape.values > 1) return EACH_VALUE
  const wanted = table.needs.length > 0 ? table : COMPANIES
  const isWanted = (key: string) => wanted.needs.includes(wanted.fieldOf(key) ?? '')
  const isRow = (value: unknown) => {
    const row = isObject(value) && (wanted.rowIn ? wanted.rowIn(value) : value)
    return isObject(row) && Object.keys(flat(row)).some(isWanted)
  }
  const isItself =
    [...shape.keys].some(([key, kind]) => kind === '' && isWanted(key)) &&
    (!wanted.rowIn || (await firstValues(file, EACH_VALUE, 1)).some(isRow))
  const areColumns = [...shape.keys].filter(([key, kind]) => kind !== '' && wanted.fieldOf(key))
  if (!isItself && areColumns.length > 1) throw badRequest(IMPORT_REFUSALS.byColumns)
  const lists = []
  for (const list of shape.lists)
    lists.push({ list, values: await firstValues(file, list, ROWS_SHOWN) })
  const good = lists.filter(({ values }) => values.some(isRow))
  const rich = lists.filter(({ values }) => values.some((value) => typeof value === 'object'))
  const others = isItself ? [] : rich.length > 0 ? rich : lists
  const likely = good.length > 0 ? good : others
  if (isItself && likely.length > 0)
    likely.unshift({ list: EACH_VALUE, values: await firstValues(file, EACH_VALUE, ROWS_SHOWN) })
  const [only, other] = likely
  if (!other) return only?.list ?? EACH_VALUE
  const choices = likely.map(({ list, values }) => ({
    value: list,
    rows: shown(values.map((value) => ({ cells: cellsShown(value) }))),
  }))
  return { about: 'list', choices }
}

const cellsShown = (value: unknown) =>
  (isObject(value) ? Object.values(value) : cellsOf(value))
    .filter((cell) => typeof cell !== 'object')
    .map(textOfCell)

async function firstValues({ source, encoding }: JsonFile, list: string, count: number) {
  const reader = createJsonReader(list)
  const values: unknown[] = []
  for await (const text of textOf(source.bytes(), encoding)) {
    values.push(...reader.read(text).flatMap(({ value }) => (value === undefined ? [] : [value])))
    if (values.length >= count) break
  }
  return values.slice(0, count)
}

/** @throws Refusal bad-request, naming the row, if we can't read the file to its end */
export async function* rowsAs(
  bytes: AsyncIterable<Buffer>,
  { encoding, layout, list }: KnownReading,
  table = COMPANIES,
): AsyncGenerator<FileRow> {
  const lost = lostSentence(encoding)
  const reader =
    list === undefined
      ? csvRows(layout ?? { separator: ',', titles: 1 }, table, lost)
      : jsonRows(list, layout, table, lost)
  for await (const text of textOf(bytes, encoding)) yield* reader.read(text)
  yield* reader.end()
}

/** Rows of a file on this machine. @throws Refusal bad-request, also for a file that can be read in several ways */
export async function* rowsOfFile(
  path: string,
  format: FileFormat,
  table = COMPANIES,
  given: Reading = {},
): AsyncGenerator<FileRow> {
  if (format === 'xml') return yield* xmlRows(createReadStream(path), table)
  const source = fileAt(path, format)
  yield* rowsAs(source.bytes(), await requireReading(source, given, table), table)
}

/** Rows of a file that arrives only once, and so fits into memory. @throws the same */
export async function* rowsIn(
  chunks: Chunks,
  format: FileFormat,
  table = COMPANIES,
): AsyncGenerator<FileRow> {
  if (format === 'xml') return yield* xmlRows(inTurns(chunks), table)
  const kept: Buffer[] = []
  for await (const chunk of chunks) kept.push(chunk)
  const source = { bytes: () => inTurns(kept), format }
  yield* rowsAs(source.bytes(), await requireReading(source, {}, table), table)
}

type Chunks = Iterable<Buffer> | AsyncIterable<Buffer>

/** Lets other work in between, because no disk does. */
async function* inTurns(chunks: Chunks) {
  for await (const chunk of chunks) {
    yield chunk
    await setImmediate()
  }
}

/** XML says how to read it. @throws Refusal bad-request */
async function* xmlRows(chunks: AsyncIterable<Buffer>, table: FileTable): AsyncGenerator<FileRow> {
  const reader = createXmlReader()
  for await (const text of textOfXml(chunks))
    yield* reader.read(text).flatMap((row) => rowOfJson(row, table, lostSentence('utf-8')))
  reader.end()
}

interface Reader {
  read(text: string): FileRow[]
  end(): FileRow[]
}

function jsonRows(
  list: string,
  layout: Layout | undefined,
  table: FileTable,
  lost: string,
): Reader {
  const reader = createJsonReader(list)
  const take = layout && tableReader(layout, table, lost)
  const rowsFrom = (rows: JsonRow[]) =>
    rows.flatMap((row): FileRow[] => {
      const { value, problem } = row
      if (!take || problem !== undefined || isObject(value)) return rowOfJson(row, table, lost)
      return take({ row: row.row, cells: cellsOf(value) })
    })
  return {
    read: (text) => rowsFrom(reader.read(text)),
    end: () => rowsFrom(reader.end()),
  }
}

function rowOfJson(
  { row, value, key, problem }: JsonRow,
  table: FileTable,
  lost: string,
): FileRow[] {
  if (problem) return [{ row, problem }]
  if (!isObject(value)) return [{ row, given: value }]
  const inner = table.rowIn ? table.rowIn(value) : value
  if (!inner) return []
  const given = new Map<string, unknown>()
  const unread = new Map<string, string>()
  const own: Record<string, unknown> = key === undefined ? { ...inner } : { key, ...inner }
  for (const [title, cell] of Object.entries(table.isFlat ? flat(own) : own)) {
    const field = table.fieldOf(title)
    // If two keys mean the same, the first non-empty one counts.
    if (!field || !isEmpty(given.get(field))) continue
    if (isDamaged(cell)) unread.set(field, lost)
    else given.set(field, cell)
  }
  for (const [title, cell] of Object.entries(own)) {
    const field = table.needs.length > 0 && isObject(cell) ? table.fieldOf(title) : undefined
    if (field && isEmpty(given.get(field))) given.set(field, cell)
  }
  if (!table.isFlat && unread.size > 0) return [{ row, problem: lost }]
  return [{ row, given: Object.fromEntries(given), ...unreadIn(unread) }]
}

const isEmpty = (cell: unknown) => cell == null || cell === ''

const isDamaged = (cell: unknown) =>
  (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)).includes(DAMAGED)

const unreadIn = (unread: Map<string, string>) =>
  unread.size > 0 && { unread: Object.fromEntries(unread) }

const FLAT_DEPTH = 3

/** An object's values, and those of objects within it as "address.city". */
function flat(value: Record<string, unknown>, prefix = '', depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, cell]) => {
      const title = `${prefix}${key}`
      if (!isObject(cell) || depth === FLAT_DEPTH) return [[title, cell]]
      return Object.entries(flat(cell, `${title}.`, depth + 1))
    }),
  )
}

function csvRows(layout: Layout, table: FileTable, lost: string): Reader {
  const { edges } = layout
  const reader = readerFor(layout.separator, table.cellMax)
  const take = tableReader(layout, table, lost)
  const rowsFrom = (records: CsvRecord[]) =>
    records.flatMap((record): FileRow[] => {
      const [line = ''] = record.cells
      if (record.tooLong.length === 0 && saysNothing(record)) return []
      if (record.unclosed && record.row <= layout.titles)
        throw badRequest(IMPORT_REFUSALS.unclosedTitles)
      if (record.unclosed) return [{ row: record.row, problem: UNCLOSED[record.unclosed] }]
      if (!edges) return take(record)
      if (record.row > layout.titles && !fits(line, edges))
        return [{ row: record.row, problem: 'A cell of this row is wider than its column' }]
      return take({ ...record, cells: cutAt(line, edges) })
    })
  return {
    read: (text) => rowsFrom(reader.read(text)),
    end: () => rowsFrom(reader.end()),
  }
}

interface TableRow {
  row: number
  cells: unknown[]
  tooLong?: number[]
}

/** Reads the titles, and then what's below them. */
function tableReader({ titles, width = 0 }: Layout, table: FileTable, lost: string) {
  let named: string[] = []
  let columns: (string | undefined)[] | undefined
  if (titles === 0) {
    named = Array.from({ length: width }, (_, i) => columnTitle(i))
    columns = columnsOf(named, table)
  }
  return (row: TableRow): FileRow[] => {
    if (columns && row.row > titles) return [rowOfTable(row, { named, columns, table, lost })]
    if (row.row !== titles) return []
    named = row.cells.map(textOfCell)
    columns = columnsOf(named, table)
    return []
  }
}

/** @throws Refusal bad-request without a column that we need, or with two columns for a field */
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

interface Columns {
  named: string[]
  columns: (string | undefined)[]
  table: FileTable
  lost: string
}

function rowOfTable(
  { row, cells, tooLong = [] }: TableRow,
  { named, columns, table: { cellMax }, lost }: Columns,
): FileRow {
  if (cells.slice(columns.length).some((cell) => textOfCell(cell).trim() !== ''))
    return { row, problem: 'This row has more cells than there are titles. Is a quote missing?' }
  if (named.every((title, i) => title === textOfCell(cells[i])))
    return { row, problem: 'This row repeats the titles' }
  const given = new Map<string, unknown>()
  const unread = new Map<string, string>()
  columns.forEach((field, i) => {
    if (!field) return
    const cell = cells[i] ?? ''
    if (tooLong.includes(i))
      unread.set(field, `This cell has more than ${cellMax.toLocaleString('en')} characters`)
    else if (isDamaged(cell)) unread.set(field, lost)
    else given.set(field, typeof cell === 'string' ? withoutFormula(cell) : cell)
  })
  return { row, given: Object.fromEntries(given), ...unreadIn(unread) }
}

/** Our own files escape formulas with an apostrophe: see platform/csv.server.ts. Others keep zeros by `="007"`. */
const withoutFormula = (cell: string) =>
  /^'(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(cell)
    ? cell.slice(1)
    : cell.replace(/^="([^"]*)"$/, '$1')
