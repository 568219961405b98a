/**
 * A streaming JSON reader for a list, or for values side by side as in JSON Lines. If an invalid row has balanced
 * brackets, only
 * that row fails. Otherwise we refuse the file, because no one can tell where the next row begins.
 */
import { badRequest } from '#app/platform/http/refusal.ts'
import { EACH_VALUE, ROOT_LIST } from './file-reading.ts'
import { IMPORT_REFUSALS } from './import-report.ts'
import { CELL_MAX } from './imported-company.ts'
import { createJsonWalk, type JsonFrame } from './json-walk.server.ts'

/** Enough for all our fields, and some that we ignore. */
const ROW_MAX = 10 * CELL_MAX

export interface JsonRow {
  /** The first row is 1. */
  row: number
  /** Undefined if there's a problem. */
  value?: unknown
  /** The row's key, if the list is an object. */
  key?: string
  problem?: string
}

/** @param list as in `Reading` */
export function createJsonReader(list: string) {
  let row = 1
  let values = 0
  let rows: JsonRow[] = []
  let text = ''
  /** Where the row began in the text, if we're in one. */
  let from: number | undefined
  let value = ''
  let isTooLong = false

  const isList = (frame: JsonFrame) => frame.path === list
  const broken = () => badRequest(IMPORT_REFUSALS.notJson(row))
  const keep = (piece: string) => {
    if (value.length + piece.length > ROW_MAX) isTooLong = true
    else value += piece
  }
  function parsed(): Omit<JsonRow, 'row'> {
    if (isTooLong) return { problem: 'This row is too long' }
    try {
      return { value: JSON.parse(value) }
    } catch {
      return { problem: 'This row isn’t valid JSON' }
    }
  }

  const walk = createJsonWalk({
    isList,
    broken,
    begin(frame, _kind, at) {
      if (frame.path === EACH_VALUE && ++values > 1 && list !== EACH_VALUE)
        throw badRequest(
          list === ROOT_LIST ? IMPORT_REFUSALS.afterArray : IMPORT_REFUSALS.afterList,
        )
      if (isList(frame)) from = at
    },
    end(frame, at) {
      if (!isList(frame)) return
      keep(text.slice(from, at))
      rows.push({ row, ...parsed(), ...(frame.close === '}' && { key: frame.key }) })
      row++
      from = undefined
      value = ''
      isTooLong = false
    },
  })

  return {
    /** @throws Refusal bad-request, naming the row */
    read(given: string): JsonRow[] {
      rows = []
      text = given
      walk.read(text)
      if (from !== undefined) {
        keep(text.slice(from))
        from = 0
      }
      return rows
    },
    /** @throws Refusal bad-request for an incomplete file */
    end(): JsonRow[] {
      rows = []
      text = ''
      if (!walk.end(0))
        throw badRequest(
          from === undefined && row > 1
            ? IMPORT_REFUSALS.endsAfterRow(row - 1)
            : IMPORT_REFUSALS.endsInRow(row),
        )
      return rows
    },
  }
}
