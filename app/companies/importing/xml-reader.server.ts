/**
 * A streaming reader for XML feeds of jobs: Indeed's, RSS, Atom and their like. The parser knows XML's five named entities
 * only. It reads no DTD, so nothing can expand or be fetched.
 */
import { Parser } from 'htmlparser2'
import { badRequest } from '#app/platform/http/refusal.ts'
import { DAMAGED, lostSentence } from './file-text.server.ts'
import { IMPORT_REFUSALS } from './import-report.ts'
import { CELL_MAX } from './imported-company.ts'
import type { JsonRow } from './json-reader.server.ts'

/** Elements that hold a job, below the root. */
const ROW_NAMES = new Set(
  'job jobposting joboffer jobad item entry position vacancy offer posting opening'.split(' '),
)
/** A text's markup, if it's neither escaped nor in CDATA. */
const HTML_NAMES = new Set(
  'p br ul ol li b strong i em u div span h1 h2 h3 h4 h5 h6 a table tbody tr td th'.split(' '),
)
const ROW_MAX = 20 * CELL_MAX
const DEPTH_MAX = 50

interface Element {
  name: string
  text: string
  /** What its elements say. */
  parts: Record<string, unknown>
}

export function createXmlReader() {
  let row = 1
  let rows: JsonRow[] = []
  let depth = 0
  let hasRoot = false
  /** From the row down to the current element. */
  let open: Element[] = []
  let rowDepth = 0
  let length = 0
  let openedAt = -1

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        openedAt = parser.endIndex
        const name = plainName(tag)
        depth++
        if (depth > DEPTH_MAX) throw badRequest(IMPORT_REFUSALS.notXml(row))
        if (depth === 1 && name === 'html') throw badRequest(IMPORT_REFUSALS.webPage)
        hasRoot = true
        if (open.length === 0) {
          if (depth === 1 || !ROW_NAMES.has(name)) return
          rowDepth = depth
          length = 0
          open = [{ name, text: '', parts: { ...attributes } }]
        } else open.push({ name, text: attributes.href ?? '', parts: {} })
      },
      ontext(text) {
        const element = open.at(-1)
        if (!element) return
        length += text.length
        if (length <= ROW_MAX) element.text += text
      },
      onclosetag(_tag, isImplied) {
        // The parser also closes elements that the text doesn't. `<br/>` opens and closes in one place.
        if (isImplied && parser.endIndex !== openedAt) throw badRequest(IMPORT_REFUSALS.notXml(row))
        const element = open.pop()
        const around = open.at(-1)
        if (element && depth === rowDepth) rows.push(endRow(element))
        else if (element && around) addTo(around, element, open.length > 1)
        depth--
      },
    },
    { xmlMode: true, decodeEntities: true },
  )

  function endRow({ parts }: Element): JsonRow {
    const ended: JsonRow = { row }
    if (length > ROW_MAX) ended.problem = 'This row is too long'
    else if (JSON.stringify(parts).includes(DAMAGED)) ended.problem = lostSentence('utf-8')
    else ended.value = parts
    row++
    return ended
  }

  return {
    /** @throws Refusal bad-request for text that isn't XML */
    read(text: string): JsonRow[] {
      parser.write(text)
      const ended = rows
      rows = []
      return ended
    },
    /** @throws Refusal bad-request for an incomplete file */
    end() {
      if (!hasRoot || depth > 0) throw badRequest(IMPORT_REFUSALS.endsInRow(row))
    },
  }
}

/** "g:Id" is id. */
const plainName = (tag: string) => tag.replace(/^.*:/, '').toLowerCase()

function addTo(around: Element, { name, text, parts }: Element, isInField: boolean) {
  if (isInField && HTML_NAMES.has(name)) {
    around.text += `<${name}>${text}</${name}>`
    return
  }
  const value = Object.keys(parts).length > 0 ? parts : text
  const same = around.parts[name]
  if (same === undefined || same === '') around.parts[name] = value
  else around.parts[name] = Array.isArray(same) ? [...same, value] : [same, value]
}
