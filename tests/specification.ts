/**
 * Reads docs/specification.md: what holds, which file does it, and which test proves it; and holds
 * that against what the tests said. Used by a unit test and at the end of a whole run.
 */

/** A test by its file and by its title, or a part of it; ` › ` parts a group from what is in it. */
export interface Proof {
  file: string
  title: string
}

export interface Row {
  /** Such as `2.4.7`: the section and the number in it. */
  id: string
  section: string
  holds: string
  doneIn: string[]
  proofs: Proof[]
}

/** As vitest's JSON reporter writes it, as far as we read it. */
export interface Report {
  testResults: {
    name: string
    assertionResults: { status: string; title: string; ancestorTitles: string[] }[]
  }[]
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

/** The rows of the tables, in their order. @throws on a row that is not four cells */
export function rowsOf(markdown: string): Row[] {
  const rows: Row[] = []
  for (const line of markdown.split('\n')) {
    if (!/^\| \d/.test(line)) continue
    const [id = '', holds = '', doneIn = '', provedBy = '', ...more] = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    if (!provedBy || more.length > 0) throw new Error(`This is no row of four cells: ${line}`)
    const proofs = quoted(provedBy).map((proof) => {
      const [file = '', ...title] = proof.split(' › ')
      return { file, title: title.join(' › ') }
    })
    rows.push({
      id,
      section: id.slice(0, id.lastIndexOf('.')),
      holds,
      doneIn: quoted(doneIn),
      proofs,
    })
  }
  return rows
}

/** The titles of tests and groups in a test file's source, placeholders and all. */
export function titlesIn(source: string): string[] {
  // The first argument of `test(`, `describe(`, and of what `.each(…)`, `.runIf(…)` answer.
  const calls = /(?:\b(?:test|describe)(?:\.\w+)*|[)`])\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1\s*,/gs
  return [...source.matchAll(calls)].map(([, , title = '']) =>
    title.replace(/\\(.)/gs, (_, sign) => (sign === 'n' ? '\n' : sign)),
  )
}

const PLACEHOLDER = /%[sdifjoOc#]|\$\{[^}]*\}|\$[A-Za-z][\w.]*/
/** Of a title that is mostly placeholders everything would be an instance. */
const LITERAL_MIN = 3

/** Whether a title in the source is or holds the wanted one, or can become it, or begin with it. */
export function isTitleOf(title: string, wanted: string): boolean {
  if (title.includes(wanted)) return true
  const [first = '', ...parts] = title.split(PLACEHOLDER)
  if (parts.length === 0 || [first, ...parts].join('').trim().length < LITERAL_MIN) return false
  return wanted.startsWith(first) && isFilledBy(parts, wanted.slice(first.length))
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

/** Whether a test of a report, by its groups and its title, is the wanted one. */
function isTestOf(levels: string[], wanted: string): boolean {
  let from = 0
  for (const part of wanted.split(' › ')) {
    const at = levels.findIndex((level, i) => i >= from && level.includes(part))
    if (at < 0) return false
    from = at + 1
  }
  return true
}

/** Those that `npm run proof` alone has. */
export const isInProof = ({ file }: Proof) => file.endsWith('.proof.ts')

/**
 * What no test proves: a proof counts if a test of that title passed in some project and none of
 * them failed in any. What was skipped did not pass; of what `npm run proof` alone has nothing is said.
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
