/**
 * Reads docs/specification.md: what it requires and which test proves it. Compares that with the tests' results. Used by a
 * unit test and at the end of a full run.
 */
import { existsSync, readFileSync } from 'node:fs'

/** A test by its file and by its title, or a part of it. ` › ` separates a group from what's in it. */
export interface Proof {
  file: string
  title: string
}

export interface Row {
  /** The section and the number in it, such as `2.4.7`. */
  id: string
  section: string
  /** What it requires, in a few words, and where we differ. */
  asks: string
  proofs: Proof[]
}

/** The parts that we read of the report by vitest's JSON reporter. */
export interface Report {
  testResults: {
    name: string
    assertionResults: { status: string; title: string; ancestorTitles: string[] }[]
  }[]
}

const CELL = /^(?:`[^`]+`(?: “[^”]+”)+(?:<br>|$))+$/

/**
 * The rows of the tables, in order.
 * @throws on a row that isn't a number, text and tests
 */
export function rowsOf(markdown: string): Row[] {
  const rows: Row[] = []
  for (const line of markdown.split('\n')) {
    if (!/^\|? ?\d/.test(line)) continue
    const [id = '', asks = '', tests = '', ...more] = line.split(' | ')
    if (!/^[\d.]+\.\d+$/.test(id) || asks === '' || !CELL.test(tests) || more.length > 0)
      throw new Error(`This is no row of a number, words and tests: ${line}`)
    const proofs = tests.split('<br>').flatMap((ofFile) => {
      const file = ofFile.slice(1, ofFile.indexOf('`', 1))
      return [...ofFile.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title }))
    })
    rows.push({ id, section: id.slice(0, id.lastIndexOf('.')), asks, proofs })
  }
  return rows
}

const TITLE = `\\(\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])+)\\1\\s*,`
const titlesBehind = (calls: string, source: string) =>
  [...source.matchAll(new RegExp(calls + TITLE, 'gs'))].map(([, , title = '']) =>
    title.replace(/\\(.)/gs, (_, sign) => (sign === 'n' ? '\n' : sign)),
  )

/** The titles of tests and groups in a test file's source, with placeholders. */
export const titlesIn = (source: string) =>
  // The first argument of `test(`, `describe(`, and of what `.each(…)` and `.runIf(…)` return.
  titlesBehind('(?:\\b(?:test|describe)(?:\\.\\w+)*|[)`])', source)

/** The titles that normal runs skip. See `slow` in support/amounts.ts. */
export const slowTitlesIn = (source: string) =>
  titlesBehind('\\bslow\\.test(?:\\.\\w+)*(?:\\([^()]*\\))?', source)

const PLACEHOLDER = /%[sdifjoOc#]|\$\{[^}]*\}|\$[A-Za-z][\w.]*/
/** A title that's mostly placeholders would match everything. */
const LITERAL_MIN = 3

/**
 * Whether a title in the source equals, contains or begins with the wanted one, or could do so once its placeholders are
 * filled in.
 */
export function isTitleOf(title: string, wanted: string): boolean {
  if (title.includes(wanted)) return true
  const [first = '', ...parts] = title.split(PLACEHOLDER)
  if (parts.length === 0 || [first, ...parts].join('').trim().length < LITERAL_MIN) return false
  return wanted.startsWith(first) && isFilledBy(parts, wanted.slice(first.length))
}

/**
 * The titles in a file that a part may mean: the one that equals it, or else those that contain it, or else those that can
 * become it.
 */
export function meantBy(part: string, titles: string[]): string[] {
  const all = [...new Set(titles)]
  if (all.includes(part)) return [part]
  const holding = all.filter((title) => title.includes(part))
  return holding.length > 0 ? holding : all.filter((title) => isTitleOf(title, part))
}

/** Whether `rest` is something for a placeholder, then the first part, and so on. */
function isFilledBy([part = '', ...parts]: string[], rest: string): boolean {
  if (part === '' && parts.length === 0) return rest !== ''
  for (let at = 1; at < rest.length; at++) {
    const behind = rest.slice(at)
    // It may stop early, but not within a placeholder.
    if (behind.length >= LITERAL_MIN && part.startsWith(behind)) return true
    if (!behind.startsWith(part)) continue
    const left = behind.slice(part.length)
    if (parts.length === 0 ? left === '' : isFilledBy(parts, left)) return true
  }
  return false
}

/** Whether a test in a report, with its groups and title, is the wanted one. */
function isTestOf(levels: string[], wanted: string): boolean {
  let from = 0
  for (const part of wanted.split(' › ')) {
    const at = levels.findIndex((level, i) => i >= from && level.includes(part))
    if (at < 0) return false
    from = at + 1
  }
  return true
}

const slowTitles = new Map<string, string[]>()

/** The tests that only `npm run proof` runs. */
export function isInProof({ file, title }: Proof) {
  if (file.endsWith('.proof.ts')) return true
  const known =
    slowTitles.get(file) ?? (existsSync(file) ? slowTitlesIn(readFileSync(file, 'utf8')) : [])
  slowTitles.set(file, known)
  const last = title.split(' › ').at(-1) as string
  return known.some((slow) => isTitleOf(slow, last))
}

/**
 * The rows that no test proves. A test counts if one with that title passed in some project and none failed in any. A
 * skipped test hasn't passed. This doesn't judge tests that only `npm run proof` runs.
 */
export function unproved(rows: Row[], reports: Report[]): { row: Row; proof: Proof }[] {
  const tests = reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ status, title, ancestorTitles }) => ({
        file: name,
        status,
        levels: [...ancestorTitles, title],
      })),
    ),
  )
  return rows.flatMap((row) =>
    row.proofs
      .filter((proof) => !isInProof(proof))
      .filter(({ file, title }) => {
        const named = tests.filter(
          (test) => test.file.endsWith(`/${file}`) && isTestOf(test.levels, title),
        )
        const statuses = named.map(({ status }) => status)
        return !statuses.includes('passed') || statuses.includes('failed')
      })
      .map((proof) => ({ row, proof })),
  )
}
