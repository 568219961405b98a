/** Lists in which one unreadable row doesn't hide the others. */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ZodType } from 'zod'

/** What we log about rows we left out: the list's name, but nothing from the rows. */
interface OmittedRows {
  list: string
  rows: number
  err: unknown
}

const leftOut = channel('kettle:rows-left-out')

/** Logs once per incomplete list. @param error the first one thrown */
export const reportOmittedRows = (list: string, rows: number, error: unknown) =>
  leftOut.publish({ list, rows, err: error } satisfies OmittedRows)

/** Registers the process log. @returns a function that unregisters it */
export function onOmittedRows(listen: (what: OmittedRows) => void) {
  const hear = (what: unknown) => listen(what as OmittedRows)
  subscribe(leftOut.name, hear)
  return () => unsubscribe(leftOut.name, hear)
}

/**
 * Maps rows to views. If a row's view throws, for example because a sealed value no longer opens,
 * leaves out the row and logs that. @param list its name in the log: the same for all rows, and no
 * one's name
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
  if (errors.length > 0) reportOmittedRows(list, errors.length, errors[0])
  return views
}

/**
 * An answer in the shape of its contract. Leaves out and logs list items with another shape. In nested lists, the outer
 * item is left out.
 * @throws the schema's error if the problem isn't in a list
 */
export function declaredOutput(list: string, schema: ZodType, answer: unknown): unknown {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const wrong = new Set(read.error.issues.map(({ path }) => pathOfItem(path, answer)))
  const rest = wrong.has(undefined) ? read : schema.safeParse(withoutItems(answer, wrong))
  if (!rest.success) throw read.error
  reportOmittedRows(list, wrong.size, read.error)
  return rest.data
}

/** The path of the list item that contains the problem. */
function pathOfItem(path: PropertyKey[], answer: unknown): string | undefined {
  let inside = answer
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(inside)) return path.slice(0, depth + 1).join('/')
    inside = (inside as Record<PropertyKey, unknown> | null | undefined)?.[key]
  }
  return undefined
}

function withoutItems(value: unknown, wrong: ReadonlySet<unknown>, path: string[] = []): unknown {
  const isWrong = (key: number) => wrong.has([...path, key].join('/'))
  if (Array.isArray(value)) return value.filter((_, index) => !isWrong(index))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, it]) => [key, withoutItems(it, wrong, [...path, key])]),
  )
}
