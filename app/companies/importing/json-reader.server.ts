/**
 * Reads JSON piece by piece: an array of companies, one company after the other (JSON lines), or
 * `{ "companies": [ … ] }`. A row whose brackets close and which is no JSON fails alone; where they do
 * not, the file is refused: nobody can tell where the next row would begin.
 */
import { badRequest } from '#app/platform/http/refusal.ts'
import { DAMAGED, NOT_UTF8 } from './file-text.server.ts'
import { CELL_MAX } from './imported-company.ts'

/** Of all five fields, and others that we leave out. */
const ROW_MAX = 10 * CELL_MAX

export interface JsonRow {
  /** From 1. */
  row: number
  /** Undefined for a row that has a problem. */
  value?: unknown
  problem?: string
}

/** A company is flat. */
const DEPTH_MAX = 50

const WRAPPER = /^\s*\{\s*"companies"\s*:\s*\[/
/** Of its spaces so many may be before its end. */
const WRAPPER_MAX = 1_000
const couldBeWrapper = (beginning: string) =>
  beginning.length < WRAPPER_MAX && '{"companies":['.startsWith(beginning.replace(/\s/g, ''))

const isSpace = (character: string) => /\s/.test(character)
const CLOSING: Record<string, string> = { '{': '}', '[': ']' }

export function createJsonReader() {
  let row = 1
  /** Whether the file is one array; unknown until its first character. */
  let isArray: boolean | undefined
  let isOver = false
  /** A comma was read, and a value must follow. */
  let mustFollow = false
  /** The value that is being read. */
  let value = ''
  let isTooLong = false
  /** What its open brackets are closed by. */
  let open: string[] = []
  let inText: 'no' | 'yes' | 'escaped' = 'no'
  let wantsComma = false

  /** The beginning of the file, for as long as it could be that of a wrapper. */
  let beginning: string | undefined = ''
  let isWrapped = false

  const broken = () => badRequest(`Row ${row} is not valid JSON`)

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
      return { problem: 'This row is not valid JSON' }
    }
  }
  const keep = (piece: string) => {
    if (value.length + piece.length > ROW_MAX) isTooLong = true
    else value += piece
  }

  return {
    /** @throws Refusal bad-request, which names the row */
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
          // What else the wrapper says is none of ours.
          break
        } else if (isOver) {
          throw badRequest('There is something after the end of the array')
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
    /** @throws Refusal bad-request for a file that breaks off */
    end() {
      if (beginning?.trim() || open.length > 0 || (isArray && !isOver))
        throw badRequest(`The file breaks off in row ${row}`)
    },
  }
}
