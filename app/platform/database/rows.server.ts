/** Lists of rows, of which one that can't be shown takes nothing from the others. */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ZodType } from 'zod'

/** What is logged of rows that were left out: which list, and nothing of what stands in them. */
interface LeftOut {
  list: string
  rows: number
  err: unknown
}

const leftOut = channel('kettle:rows-left-out')

/** Tells, as often as a list leaves rows out. @param error the first that was thrown */
const noteLeftOut = (list: string, rows: number, error: unknown) =>
  leftOut.publish({ list, rows, err: error } satisfies LeftOut)

/** For the log of the process. @returns a way to end it */
export function onLeftOut(listen: (what: LeftOut) => void) {
  const hear = (what: unknown) => listen(what as LeftOut)
  subscribe(leftOut.name, hear)
  return () => unsubscribe(leftOut.name, hear)
}

/**
 * Makes a view of each row. A row whose view throws is left out and noted: a sealed value that no longer
 * opens, an address that is none.
 * @param list what the log calls it: the same for all of its rows, and nobody's name
 */
export function mapRows<Row, View>(
  list: string,
  rows: readonly Row[],
  viewOf: (row: Row, index: number) => View,
): View[] {
  const views: View[] = []
  const errors: unknown[] = []
  for (const [index, row] of rows.entries())
    try {
      views.push(viewOf(row, index))
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) noteLeftOut(list, errors.length, errors[0])
  return views
}

/**
 * An answer as its contract declares it. Items of its lists that have another shape are left out and
 * noted: of lists in lists, the item of the outer one.
 * @throws the schema's error where what is wrong stands in no list
 */
export function declaredAnswer(list: string, schema: ZodType, answer: unknown): unknown {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const wrong = new Set(read.error.issues.map(({ path }) => placeOfItem(path, answer)))
  const rest = wrong.has(undefined) ? read : schema.safeParse(withoutItems(answer, wrong))
  if (!rest.success) throw read.error
  noteLeftOut(list, wrong.size, read.error)
  return rest.data
}

/** Where the list's item is on the way to what is wrong. */
function placeOfItem(path: PropertyKey[], answer: unknown): string | undefined {
  let inside = answer
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(inside)) return path.slice(0, depth + 1).join('/')
    inside = (inside as Record<PropertyKey, unknown> | null | undefined)?.[key]
  }
  return undefined
}

function withoutItems(value: unknown, wrong: ReadonlySet<unknown>, place: string[] = []): unknown {
  const isWrong = (key: number) => wrong.has([...place, key].join('/'))
  if (Array.isArray(value)) return value.filter((_, index) => !isWrong(index))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, it]) => [key, withoutItems(it, wrong, [...place, key])]),
  )
}
