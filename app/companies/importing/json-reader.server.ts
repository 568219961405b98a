/**
 * A streaming JSON reader for an array of companies, JSON lines, or `{ "companies": [ … ] }`. If an invalid row has
 * balanced brackets, only that row fails. Otherwise we refuse the file, because no one can tell where the next row
 * begins.
 */
import { badRequest } from '#app/platform/http/refusal.ts'
import { DAMAGED, NOT_UTF8 } from './file-text.server.ts'
import { IMPORT_REFUSALS } from './import-report.ts'
import { CELL_MAX } from './imported-company.ts'

/** Enough for all our fields, and some that we ignore. */
const ROW_MAX = 10 * CELL_MAX

export interface JsonRow {
  /** The first row is 1. */
  row: number
  /** Undefined if there's a problem. */
  value?: unknown
  problem?: string
}

/** Companies are flat, so this is plenty. */
const DEPTH_MAX = 50

/**
 * Matches the beginning of other sites' API responses, which have counts and pages before the list. A company's own
 * row begins with its name.
 */
const WRAPPER =
  /^\s*\{(?:\s*"(?!name"|title"|company")[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?[\d.]+|true|false|null)\s*,)*\s*"(?:companies|jobs|data|results|items|records|rows)"\s*:\s*\[/
/** How many characters a wrapper may have before its list. */
const WRAPPER_MAX = 1_000
const couldBeWrapper = (beginning: string) =>
  beginning.length < WRAPPER_MAX && /^\s*(?:\{[^[\]}]*)?$/.test(beginning)

const isSpace = (character: string) => /\s/.test(character)
const CLOSING: Record<string, string> = { '{': '}', '[': ']' }

export function createJsonReader() {
  let row = 1
  /** Undefined until the first character. */
  let isArray: boolean | undefined
  let isOver = false
  /** Whether a comma came last. */
  let mustFollow = false
  let value = ''
  let isTooLong = false
  /** The closing brackets we expect. */
  let open: string[] = []
  let inText: 'no' | 'yes' | 'escaped' = 'no'
  let wantsComma = false

  /** The start of the file, as long as it may be a wrapper. */
  let beginning: string | undefined = ''
  let isWrapped = false

  const broken = () => badRequest(IMPORT_REFUSALS.notJson(row))

  function endValue(): JsonRow {
    const ended = { row, ...parsed() }
    row++
    value = ''
    isTooLong = false
    wantsComma = isArray === true
    mustFollow = false
    return ended
  }
  function parsed(): Omit<JsonRow, 'row'> {
    if (isTooLong) return { problem: 'This row is too long' }
    if (value.includes(DAMAGED)) return { problem: NOT_UTF8 }
    try {
      return { value: JSON.parse(value) }
    } catch {
      return { problem: 'This row isn’t valid JSON' }
    }
  }
  const keep = (piece: string) => {
    if (value.length + piece.length > ROW_MAX) isTooLong = true
    else value += piece
  }

  return {
    /** @throws Refusal bad-request, naming the row */
    read(given: string): JsonRow[] {
      const rows: JsonRow[] = []
      let text = given
      if (beginning !== undefined) {
        text = beginning + given
        const wrapper = WRAPPER.exec(text)?.[0]
        if (!wrapper && couldBeWrapper(text)) {
          beginning = text
          return rows
        }
        beginning = undefined
        if (wrapper) {
          isArray = true
          isWrapped = true
          text = text.slice(wrapper.length)
        }
      }
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const character = text.charAt(at)
        if (inText !== 'no') {
          if (inText === 'escaped') inText = 'yes'
          else if (character === '\\') inText = 'escaped'
          else if (character === '"') inText = 'no'
        } else if (open.length > 0) {
          const closing = CLOSING[character]
          if (character === '"') inText = 'yes'
          else if (closing && open.push(closing) > DEPTH_MAX) throw broken()
          else if (closing) continue
          else if (character === '}' || character === ']') {
            if (open.pop() !== character) throw broken()
            if (open.length === 0) {
              keep(text.slice(from, at + 1))
              rows.push(endValue())
            }
          }
        } else if (isSpace(character)) {
          // Between rows.
        } else if (isOver && isWrapped) {
          // Ignore a wrapper's other keys.
          break
        } else if (isOver) {
          throw badRequest(IMPORT_REFUSALS.afterArray)
        } else if (isArray === undefined && character === '[') {
          isArray = true
        } else if (isArray && character === ',' && wantsComma) {
          wantsComma = false
          mustFollow = true
        } else if (isArray && character === ']' && !mustFollow) {
          isOver = true
        } else if (character === '{' && !wantsComma) {
          isArray ??= false
          open = ['}']
          from = at
        } else throw broken()
      }
      if (open.length > 0) keep(text.slice(from))
      return rows
    },
    /** @throws Refusal bad-request for an incomplete file */
    end() {
      if (beginning?.trim() || open.length > 0 || (isArray && !isOver))
        throw badRequest(IMPORT_REFUSALS.endsInRow(row))
    },
  }
}
