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
  /** A quote that opens in it is never closed; what it swallowed is read as rows, or was too much. */
  unclosed?: 'alone' | 'with-others'
}

export interface CsvReader {
  /** Records that end in this piece of the text. */
  read(text: string): CsvRecord[]
  /**
   * What stands after the last line end; nothing when the text ended with one. Where a quote is still
   * open, its line is a record that is not closed, and what it had swallowed is read as other lines are.
   */
  end(): CsvRecord[]
}

const QUOTE = 34
const CR = 13
const LF = 10

/** So much is read once more behind a quote that is never closed: as much as an uploaded file has. */
const SWALLOWED_MAX = 50 * 1024 * 1024
const SPACE = /\s/
const LINE_END = /\r\n|\r|\n/

/**
 * @param separator one character
 * @param cellMax what is longer is not kept
 */
export function createCsvReader(separator: string, cellMax = CELL_MAX, firstRow = 1): CsvReader {
  const SEPARATOR = separator.charCodeAt(0)
  let row = firstRow
  /** Of the record that is being read, as it stands there. */
  let raw = ''
  let cells: string[] = []
  let cell = ''
  let isTooLong = false
  /** Of the cell: not in quotes, in them, or behind a quote that ends it or is half of two. */
  let state: 'plain' | 'quoted' | 'quote-in-quoted' = 'plain'
  let wasQuoted = false
  /** Nothing but spaces stands in the cell so far. */
  let isBlank = true
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
    isBlank = true
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
      let recordFrom = 0
      const begun = raw
      for (let at = 0; at < text.length; at++) {
        const character = text.charCodeAt(at)
        if (endedWithCr) {
          endedWithCr = false
          if (character === LF) {
            from = at + 1
            recordFrom = at + 1
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
          recordFrom = at + 1
          endedWithCr = character === CR
        } else if (character === QUOTE && !wasQuoted && isBlank) {
          // Spaces before it are layout. Elsewhere it is a character like others: 5" pipes.
          cell = ''
          from = at + 1
          state = 'quoted'
          wasQuoted = true
        } else if (isBlank && !SPACE.test(text.charAt(at))) {
          isBlank = false
        }
      }
      keep(text.slice(from))
      const ofRecord = text.slice(recordFrom)
      raw = recordFrom > 0 ? ofRecord : begun.length > SWALLOWED_MAX ? begun : begun + ofRecord
      return records
    },
    end() {
      if (state !== 'quoted') {
        const isNothing = cells.length === 0 && cell === '' && !wasQuoted && !isTooLong
        return isNothing ? [] : [endRecord()]
      }
      const lineEnd = LINE_END.exec(raw)
      const isCut = raw.length > SWALLOWED_MAX
      const line = raw.slice(0, Math.min(lineEnd?.index ?? cellMax, cellMax))
      const unclosed: CsvRecord = {
        row,
        cells: [line],
        isTooLong,
        unclosed: isCut ? 'with-others' : 'alone',
      }
      if (!lineEnd || isCut) return [unclosed]
      const others = createCsvReader(separator, cellMax, row + 1)
      const behind = raw.slice(lineEnd.index + lineEnd[0].length)
      return [unclosed, ...others.read(behind), ...others.end()]
    },
  }
}
