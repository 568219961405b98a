/** Reads CSV piece by piece: RFC 4180, and what spreadsheets make of it. */
import { CELL_MAX } from './imported-company.ts'

/** More columns than any table of ours has. */
const CELLS_MAX = 500

export interface CsvRecord {
  /** As a spreadsheet numbers it: the first is 1, blank lines count. */
  row: number
  cells: string[]
  /** A cell was longer than it may be, or there were too many: the rest of it was not kept. */
  isTooLong: boolean
}

export interface CsvReader {
  /** Records that end in this piece of the text. */
  read(text: string): CsvRecord[]
  /** What stands after the last line end; nothing when the text ended with one. */
  end(): CsvRecord[]
  /** The row that is being read. */
  row(): number
  /** Whether a quote is open: at the end of a file, it was never closed. */
  isInQuotes(): boolean
}

const QUOTE = 34
const CR = 13
const LF = 10

/**
 * @param separator one character
 * @param cellMax what is longer is not kept
 */
export function createCsvReader(separator: string, cellMax = CELL_MAX): CsvReader {
  const SEPARATOR = separator.charCodeAt(0)
  let row = 1
  let cells: string[] = []
  let cell = ''
  let isTooLong = false
  /** Of the cell: not in quotes, in them, or behind a quote that ends it or is half of two. */
  let state: 'plain' | 'quoted' | 'quote-in-quoted' = 'plain'
  let wasQuoted = false
  let endedWithCr = false

  const keep = (piece: string) => {
    if (cell.length + piece.length > cellMax) isTooLong = true
    else cell += piece
  }
  const endCell = () => {
    if (cells.length < CELLS_MAX) cells.push(cell)
    else isTooLong = true
    cell = ''
    state = 'plain'
    wasQuoted = false
  }
  const endRecord = (): CsvRecord => {
    endCell()
    const record = { row, cells, isTooLong }
    row++
    cells = []
    isTooLong = false
    return record
  }

  return {
    read(text) {
      const records: CsvRecord[] = []
      /** Where what is not kept yet begins. */
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const character = text.charCodeAt(at)
        if (endedWithCr) {
          endedWithCr = false
          if (character === LF) {
            from = at + 1
            continue
          }
        }
        if (state === 'quoted') {
          if (character !== QUOTE) continue
          keep(text.slice(from, at))
          from = at + 1
          state = 'quote-in-quoted'
          continue
        }
        if (state === 'quote-in-quoted') {
          state = character === QUOTE ? 'quoted' : 'plain'
          // Of two quotes the second is meant.
          if (character === QUOTE) {
            from = at
            continue
          }
        }
        if (character === SEPARATOR) {
          keep(text.slice(from, at))
          endCell()
          from = at + 1
        } else if (character === LF || character === CR) {
          keep(text.slice(from, at))
          records.push(endRecord())
          from = at + 1
          endedWithCr = character === CR
        } else if (character === QUOTE && !wasQuoted && isBlank(cell, text, from, at)) {
          // Spaces before it are layout. Elsewhere it is a character like others: 5" pipes.
          cell = ''
          from = at + 1
          state = 'quoted'
          wasQuoted = true
        }
      }
      keep(text.slice(from))
      return records
    },
    end() {
      const isNothing = cells.length === 0 && cell === '' && !wasQuoted && !isTooLong
      return isNothing ? [] : [endRecord()]
    },
    row: () => row,
    isInQuotes: () => state === 'quoted',
  }
}

const isBlank = (cell: string, text: string, from: number, at: number) =>
  cell.trim() === '' && text.slice(from, at).trim() === ''
