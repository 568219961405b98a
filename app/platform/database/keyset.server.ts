/** Cursors say where a page of a list ended, so the next one starts there at no extra cost. */

import sql, { type Sql } from 'sql-template-tag'
import { badRequest } from '../http/refusal.ts'
import { isUuid } from '../uuid.ts'

interface Cursor {
  /** The sort order it belongs to. We refuse a cursor from another order. */
  order: string
  /** The sort column's value as PostgreSQL prints it, because a Date would lose its microseconds. */
  value: string
  id: string
}

export const writeCursor = ({ order, value, id }: Cursor) =>
  Buffer.from(JSON.stringify([order, value, id])).toString('base64url')

/** The form of a cursor's value: a regular expression, or one of the forms below. */
export type CursorForm = Pick<RegExp, 'test'>

const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/
const MONTH = /^\d{4}-\d\d-01$/

/** PostgreSQL throws on a 30th of February, and a made-up cursor mustn't become our error. */
function isOnCalendar(text: string) {
  const iso = text.replace(' ', 'T').replace('+00', 'Z')
  const date = new Date(iso)
  const isDate = !Number.isNaN(date.getTime()) && date.getUTCFullYear() > 0
  return isDate && date.toISOString().startsWith(iso.slice(0, 19))
}

/** A moment as PostgreSQL prints it. */
export const momentForm: CursorForm = { test: (text) => MOMENT.test(text) && isOnCalendar(text) }
/** The first day of a month. */
export const monthForm: CursorForm = { test: (text) => MONTH.test(text) && isOnCalendar(text) }

/** A list's order, which an index also has: by a column, then by id. */
export interface Order {
  /** What cursors call this order. */
  name: string
  column: Sql
  /** Must be from the same table as the column, because an index can't use another. */
  id: Sql
  isAscending?: boolean
  /** How a cursor's value is cast back, and its form. */
  cast: Sql
  form: CursorForm
}

/** A condition for rows after the cursor `text`. @throws Refusal bad-request for another list's */
export function afterCursor(
  text: string,
  { name, column, id, isAscending, cast, form }: Order,
): Sql {
  const after = requireCursor(text, name, form)
  return sql`(${column}, ${id}) ${isAscending ? sql`>` : sql`<`}
             (${after.value}::${cast}, ${after.id}::uuid)`
}

/** Refuses a cursor that belongs to another list, or to none. */
export const foreignCursor = () => badRequest('This page marker is from a different list')

/** @throws Refusal bad-request if `readCursor` finds none */
export function requireCursor(text: string, order: string, form: CursorForm): Cursor {
  const cursor = readCursor(text, order, form)
  if (!cursor) throw foreignCursor()
  return cursor
}

/** Undefined if `text` isn't a cursor, has another order, or its value has another form. */
export function readCursor(text: string, order: string, form: CursorForm): Cursor | undefined {
  try {
    const [its, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (its === order && typeof value === 'string' && form.test(value) && isUuid(id))
      return { order, value, id }
  } catch {}
  return undefined
}
