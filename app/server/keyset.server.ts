/** Marks where a page of a list ended, so that the next one starts there, however deep. */

export interface Cursor {
  /** Which order the cursor belongs to: a marker of another order is refused. */
  order: string
  /** The sort column's value as PostgreSQL prints it: a Date would lose its microseconds. */
  value: string
  id: string
}

export const writeCursor = ({ order, value, id }: Cursor) =>
  Buffer.from(JSON.stringify([order, value, id])).toString('base64url')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The cursor in `text`; undefined when it is not one, of another order, or its value has another form. */
export function readCursor(text: string, order: string, form: RegExp): Cursor | undefined {
  try {
    const [its, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (its === order && typeof value === 'string' && form.test(value) && UUID.test(id))
      return { order, value, id }
  } catch {
    // Not JSON: not one of ours.
  }
  return undefined
}
