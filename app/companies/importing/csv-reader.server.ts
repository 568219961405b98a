/** A streaming CSV reader for RFC 4180 and what spreadsheets write. */
import { CELL_MAX } from './imported-company.ts'

/** We ignore further columns, in the titles and in the rows. */
const CELLS_MAX = 2_000

export interface CsvRecord {
  /** The number in a spreadsheet: from 1, counting blank lines. */
  row: number
  cells: string[]
  /** Cells that we cut because they're too long. */
  tooLong: number[]
  /** Set if the record opens a quote that never closes. We read the text after it as rows, unless it's too long. */
  unclosed?: 'alone' | 'with-others'
}

interface CsvReader {
  /** @returns records that end in this piece */
  read(text: string): CsvRecord[]
  /**
   * @returns what follows the last line end, if anything. If a quote is still open, its line is an unclosed record,
   * and we read the text after it again as rows.
   */
  end(): CsvRecord[]
}

const QUOTE = 34
const CR = 13
const LF = 10

/** How much text after an unclosed quote we read again: as much as an uploaded file may have. */
const SWALLOWED_MAX = 50 * 1024 * 1024
const SPACE = /\s/
const LINE_END = /\r\n|\r|\n/

/** @param separator one character @param cellMax the length at which we cut cells */
export function createCsvReader(separator: string, cellMax = CELL_MAX, firstRow = 1): CsvReader {
  const SEPARATOR = separator.charCodeAt(0)
  let row = firstRow
  /** The current record's source text. */
  let raw = ''
  let cells: string[] = []
  let cell = ''
  let tooLong: number[] = []
  /**
   * Where the reader is in a cell: outside of quotes, within them, or after a quote that either ends the cell or is the
   * first of two.
   */
  let state: 'plain' | 'quoted' | 'quote-in-quoted' = 'plain'
  let wasQuoted = false
  /** Whether the cell only has spaces so far. */
  let isBlank = true
  let endedWithCr = false

  const keep = (piece: string) => {
    if (cell.length + piece.length <= cellMax) cell += piece
    else if (tooLong.at(-1) !== cells.length) tooLong.push(cells.length)
  }
  const endCell = () => {
    if (cells.length < CELLS_MAX) cells.push(cell)
    cell = ''
    state = 'plain'
    wasQuoted = false
    isBlank = true
  }
  const endRecord = (): CsvRecord => {
    endCell()
    const record = { row, cells, tooLong }
    row++
    cells = []
    tooLong = []
    return record
  }

  return {
    read(text) {
      const records: CsvRecord[] = []
      /** Where the text starts that isn't in `cell` yet. */
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
          // Two quotes mean one.
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
          // Only spaces may come before a quote. Otherwise it's a plain character, as in 5" pipes.
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
        const isNothing = cells.length === 0 && cell === '' && !wasQuoted && tooLong.length === 0
        return isNothing ? [] : [endRecord()]
      }
      const lineEnd = LINE_END.exec(raw)
      const isCut = raw.length > SWALLOWED_MAX
      const line = raw.slice(0, Math.min(lineEnd?.index ?? cellMax, cellMax))
      const unclosed: CsvRecord = {
        row,
        cells: [line],
        tooLong,
        unclosed: isCut ? 'with-others' : 'alone',
      }
      if (!lineEnd || isCut) return [unclosed]
      const others = createCsvReader(separator, cellMax, row + 1)
      const behind = raw.slice(lineEnd.index + lineEnd[0].length)
      return [unclosed, ...others.read(behind), ...others.end()]
    },
  }
}
