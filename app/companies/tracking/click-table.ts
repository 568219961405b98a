/** Sorting and windowing of the table of clicks. Spec §2.13. */
import { TABLE_MAX_HEIGHT } from './tracking.ts'

interface Click {
  companyId: string
  companyName: string
  userId: string
  isMe: boolean
  at: string
}

export const COLUMNS = ['at', 'company', 'user'] as const
export type Column = (typeof COLUMNS)[number]

export const COLUMN_NAMES: Record<Column, string> = {
  at: 'Date & Time',
  company: 'Company',
  user: 'User ID',
}

export interface Order {
  column: Column
  isDescending: boolean
}

/** The server's order. Spec §7.2. */
export const NEWEST_FIRST: Order = { column: 'at', isDescending: true }

/** The order after someone presses a column's header: reversed, or the column's usual order. */
export const pressed = (order: Order, column: Column): Order => ({
  column,
  isDescending: column === order.column ? !order.isDescending : column === 'at',
})

/** A sorted copy. Equal rows stay newest first, and your own come before all others. */
export function inOrder<C extends Click>(clicks: readonly C[], order: Order): C[] {
  if (order.column === 'at' && order.isDescending) return [...clicks]
  const sign = order.isDescending ? -1 : 1
  const compare = COMPARE[order.column]
  return clicks.toSorted((a, b) => sign * compare(a, b))
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

const COMPARE: Record<Column, (a: Click, b: Click) => number> = {
  at: (a, b) => Number(a.at > b.at) - Number(a.at < b.at),
  company: (a, b) => byName.compare(a.companyName, b.companyName),
  user: (a, b) =>
    Number(b.isMe) - Number(a.isMe) || Number(a.userId > b.userId) - Number(a.userId < b.userId),
}

export interface ClickedCompany {
  id: string
  /** The company's name at its newest click. */
  name: string
  clicks: number
}

/** Most clicked first. @param clicks newest first */
export function companiesOf(clicks: readonly Click[]): ClickedCompany[] {
  const companies = new Map<string, ClickedCompany>()
  for (const { companyId: id, companyName: name } of clicks) {
    const known = companies.get(id)
    if (known) known.clicks++
    else companies.set(id, { id, name, clicks: 1 })
  }
  return [...companies.values()].sort((a, b) => b.clicks - a.clicks)
}

/** A row's height in pixels. As all rows have the same, we know which are in view without measuring. */
export const ROW_HEIGHT = 48
/** Extra rows, so scrolling fast doesn't show blanks. */
const ROWS_AROUND = 10

/** Rows to draw: `first` inclusive, `end` exclusive. */
export function rowsInView(scrollTop: number, rows: number): { first: number; end: number } {
  const top = Math.floor(Math.max(0, scrollTop) / ROW_HEIGHT)
  const shown = Math.ceil(TABLE_MAX_HEIGHT / ROW_HEIGHT)
  const end = Math.min(rows, top + shown + ROWS_AROUND)
  return { first: Math.max(0, Math.min(top - ROWS_AROUND, end)), end }
}
