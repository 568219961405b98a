/** Recognises a table's separator and the row of its titles. */
import { cutText } from '#app/kit/writing/text.ts'
import { createCsvReader } from './csv-reader.server.ts'
import type { Reading, ReadingChoice, ReadingQuestion } from './file-reading.ts'

/** How much of a file we look at. */
export const HEAD_MAX = 64 * 1024
const RECORDS_MAX = 50
/** How many rows may come before the titles. */
const PREAMBLE_MAX = 20
const ROWS_SHOWN = 3
const SHOWN_MAX = 80

/** Excel's own first line: "sep=;". */
const SAYS_SEPARATOR = /^sep=(.?)$/i
/** Lines drawn below titles, as in "---|---" and "+-----+". */
const isRule = (text: string) => /^[\s+|:=-]+$/.test(text) && /[-=]{3}/.test(text)

/** No character of a text. */
const NO_SEPARATOR = '\uffff'

const RECOGNISED = [',', ';', '\t', '|', '^', '~', '\x1f', '\x01', ':']

export type Layout = Required<Pick<Reading, 'separator' | 'titles'>> & {
  /** Where columns of a fixed width begin. */
  edges?: number[]
  /** How many columns there are. */
  width?: number
}
export type LayoutFound = { layout: Layout } | { question: ReadingQuestion }

/** A row that has something to say. */
export interface Row {
  row: number
  cells: string[]
}

/** Whether it's blank, a drawn line, or Excel's line about the separator. */
export const saysNothing = ({ cells }: Pick<Row, 'cells'>) => {
  const text = cells.join('')
  return text.trim() === '' || isRule(text) || (cells.length <= 2 && SAYS_SEPARATOR.test(text))
}

/** @param separator one character, "width" or "none" */
export const readerFor = (separator: string, cellMax?: number) =>
  createCsvReader(separator.length === 1 ? separator : NO_SEPARATOR, cellMax)

/** @param edges where columns begin */
export function cutAt(line: string, edges: number[]): string[] {
  return edges.map((edge, i) => line.slice(edge, edges[i + 1]).trim())
}

/** Whether each column's text ends before the next one begins. */
export const fits = (line: string, edges: number[]) =>
  edges.every((edge) => edge === 0 || edge > line.length || line.charAt(edge - 1) === ' ')

interface Candidate {
  separator: string
  rows: Row[]
  edges?: number[]
  /** How many known titles the best row has. */
  known: number
  /** Whether nearly all rows below the first have the same number of cells. */
  isEven: boolean
}

type IsKnown = (title: string) => boolean

/** @param head the beginning of a file @param isCut whether more follows @param isKnown whether a title is one of ours */
export function layoutOf(
  head: string,
  given: Pick<Reading, 'separator' | 'titles'>,
  { isCut, isKnown }: { isCut: boolean; isKnown: IsKnown },
): LayoutFound {
  const declared = /^\s*sep=(.)\r?\n/i.exec(head)?.[1]
  const chosen = given.separator ?? declared
  const names = chosen ? [chosen] : [...RECOGNISED, 'width', 'none']
  const candidates = names.map((separator) => candidateFor(separator, head, isCut, isKnown))
  const found = chosen ? candidates : likely(candidates)
  const [only, other] = found
  if (!only) return { layout: { separator: ',', titles: given.titles ?? 1 } }
  if (other) {
    const choices = found.map(({ separator, rows }) => ({ value: separator, rows: shown(rows) }))
    return { question: { about: 'separator', choices } }
  }
  const titles = given.titles ?? titlesIn(only.rows, isKnown)
  if (typeof titles !== 'number') return { question: { about: 'titles', choices: titles } }
  const width = Math.max(0, ...only.rows.map(({ cells }) => cells.length))
  return { layout: { separator: only.separator, titles, width, edges: only.edges } }
}

function candidateFor(
  separator: string,
  head: string,
  isCut: boolean,
  isKnown: IsKnown,
): Candidate {
  const reader = readerFor(separator)
  const records = reader.read(head)
  if (!isCut || records.length === 0) records.push(...reader.end())
  const lines = records
    .filter((record) => !record.unclosed && !saysNothing(record))
    .slice(0, RECORDS_MAX)
  const edges = separator === 'width' ? edgesIn(lines) : undefined
  const rows = edges
    ? lines.map(({ row, cells: [line = ''] }) => ({ row, cells: cutAt(line, edges) }))
    : lines
  const lengths = (rows.length > 1 ? rows.slice(1) : rows).map(({ cells }) => cells.length)
  const usual = mostFrequent(lengths)
  const titles = rows
    .slice(0, PREAMBLE_MAX)
    .filter((row) => separator === 'none' || widthOf(row) > 1)
  return {
    separator,
    rows,
    edges,
    known: Math.max(0, ...titles.map((row) => knownIn(row, isKnown))),
    isEven: usual > 1 && lengths.filter((each) => each === usual).length >= 0.9 * lengths.length,
  }
}

const knownIn = ({ cells }: Row, isKnown: IsKnown) => cells.filter(isKnown).length

const widthOf = ({ cells }: Row) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

function mostFrequent(numbers: number[]): number {
  const counts = new Map<number, number>()
  for (const n of numbers) counts.set(n, (counts.get(n) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

/** Those that could be right, judged by known titles, then by rows of the same length. */
function likely(candidates: Candidate[]): Candidate[] {
  const single = candidates.filter(({ separator }) => separator === 'none')
  const tables = candidates.filter(
    ({ separator, rows }) => separator !== 'none' && rows.some((row) => widthOf(row) > 1),
  )
  const known = Math.max(0, ...tables.map((table) => table.known))
  if (known > 0) {
    const best = tables.filter((table) => table.known === known)
    const separated = best.filter(({ separator }) => separator !== 'width')
    const good = separated.length > 0 ? separated : best
    const even = good.filter(({ isEven }) => isEven)
    return even.length > 0 ? even : good.slice(0, 1)
  }
  // Most websites have a colon.
  const even = tables.filter(({ isEven, separator }) => isEven && separator !== ':')
  const isList = single.some(({ known }) => known > 0)
  // "Acme, Inc." can be one cell or two.
  const isProse = even.some(({ separator, rows }) => separator === ',' && rows.every(isPhrase))
  if (even.length === 0) return single
  return isList || isProse ? [...single, ...even] : even
}

const isPhrase = ({ cells: [, ...others] }: Row) => others.every((cell) => cell.startsWith(' '))

/** Columns begin after two spaces in the first line, where all lines have a space. */
function edgesIn(rows: Row[]): number[] {
  const lines = rows.map(({ cells: [line = ''] }) => line.trimEnd())
  const [first = ''] = lines
  const edges = [...first.matchAll(/(?<= {2})\S/g)].map(({ index }) => index)
  return [0, ...edges.filter((edge) => lines.every((line) => fits(line, [edge])))]
}

/** @returns the titles' row, or what to ask about */
export function titlesIn(rows: Row[], isKnown: IsKnown): number | ReadingChoice[] {
  const [first] = rows
  if (!first) return 1
  const before = rows.slice(0, PREAMBLE_MAX)
  const known = before.map((row) => knownIn(row, isKnown))
  const most = Math.max(...known)
  if (most > 0) {
    const at = known.indexOf(most)
    const isFirst = at === 0
    const { row } = before[at] as Row
    // A single known word further down may be in a company's row.
    if (isFirst || most > 1) return row
    if ((known[0] ?? 0) > 0) return first.row
    if (before.slice(0, at).every((each) => widthOf(each) < widthOf(before[at] as Row))) return row
  }
  return [
    { value: first.row, rows: shown(rows.slice(1)) },
    { value: 0, rows: shown(rows) },
  ]
}

export const shown = (rows: Pick<Row, 'cells'>[]) =>
  rows.slice(0, ROWS_SHOWN).map(({ cells }) => {
    const texts = cells.map((cell) => cell.trim()).filter(Boolean)
    return cutText(texts.join(' · '), SHOWN_MAX)
  })
