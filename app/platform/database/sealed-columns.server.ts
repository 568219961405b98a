/**
 * Columns with sealed values. Each value is bound to its row and column, and opens nowhere else. A task
 * binds values from before that, a batch at a time.
 */
import sql, { raw } from 'sql-template-tag'
import type { Database } from './database.server.ts'
import { isBound, type Secrets } from './secrets.server.ts'

export interface SealedColumn {
  table: string
  column: string
  /** The key column, and its type. */
  key: string
  type: 'uuid' | 'text' | 'date'
}

/** A value's context, for `seal` and `open`. @param row its key, as text */
export const sealContext = (column: SealedColumn, row: string) => `${nameOf(column)} ${row}`

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`

const PORTION = 500
/** How many portions of each column a round does. */
const PORTIONS = 10

/** Runs one round. Once all rows are bound, it only checks that. */
export async function reseal(secrets: Secrets, db: Database, columns: SealedColumn[]) {
  const over = await db.query<{ name: string }>(sql`
    select name from sealed_columns where is_over`)
  const left = columns.filter((column) => !over.some(({ name }) => name === nameOf(column)))
  for (const column of left)
    for (let portion = 0; portion < PORTIONS; portion++)
      if (!(await sealPortion(secrets, db, column))) break
}

/** @returns whether there are more */
const sealPortion = (secrets: Secrets, db: Database, column: SealedColumn) =>
  db.transaction(async (db) => {
    const name = nameOf(column)
    await db.query(sql`insert into sealed_columns (name) values (${name}) on conflict do nothing`)
    const [progress] = await db.query<{ after: string | null; isOver: boolean }>(sql`
      select after, is_over as "isOver" from sealed_columns where name = ${name} for update`)
    if (!progress || progress.isOver) return false

    const [table, key, value, type] = [column.table, column.key, column.column, column.type].map(
      (word) => raw(word),
    )
    const rows = await db.query<{ row: string; sealed: string | null }>(sql`
      select ${key}::text as row, ${value} as sealed from ${table}
       where ${progress.after}::text is null or ${key} > ${progress.after}::${type}
       order by ${key} limit ${PORTION} for update`)
    for (const { row, sealed } of rows) {
      if (sealed === null || isBound(sealed)) continue
      const bound = secrets.seal(secrets.open(sealed), sealContext(column, row))
      await db.query(sql`update ${table} set ${value} = ${bound} where ${key} = ${row}::${type}`)
    }
    const isOver = rows.length < PORTION
    await db.query(sql`
      update sealed_columns set after = ${rows.at(-1)?.row ?? progress.after}, is_over = ${isOver}
       where name = ${name}`)
    return !isOver
  })
