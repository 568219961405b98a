/** Fills tables with COPY, without anything that slows down a bulk load. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | null

/** A table to fill. Each call of `rows` starts again. */
export interface Table {
  name: string
  /** Columns, as SQL lists them. */
  columns: string
  count: number
  rows(): Iterable<Value[]>
}

/** Rows are sent in chunks of about this size. */
const PIECE_CHARACTERS = 256 * 1024

/**
 * Fills `tables`, in order and in one transaction. Their triggers don't run, and we drop indexes and keys before and
 * recreate them afterwards. With a million rows, that takes a fraction of the time. `after` is the statement that writes
 * what the triggers would have written. @throws Error if one of them isn't empty
 */
export async function bulkLoad(client: pg.Client, tables: Table[], after?: string) {
  const names = tables.map((table) => table.name)
  await client.query('begin')
  try {
    await client.query(`set local maintenance_work_mem = '1GB'`)
    await client.query('set local synchronous_commit = off')
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    for (const name of names)
      if ((await client.query(`select from ${name} limit 1`)).rowCount)
        throw new Error(`The table ${name} is not empty`)
    const recreate = await putAside(client, names)
    // Rows of a table truncated in this transaction are written frozen, so no vacuum has to visit them again.
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of tables) await copyTable(client, table)
    if (after) await client.query(after)
    for (const statement of recreate) await client.query(statement)
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Drops what can be recreated. Returns the statements that recreate it. */
async function putAside(client: pg.Client, tables: string[]) {
  const constraintsOf = async (which: string) => {
    const { rows } = await client.query<{ drop: string; create: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
              format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                     pg_get_constraintdef(oid)) as create
         from pg_constraint where ${which}`,
      [tables],
    )
    return rows
  }
  const keys = await constraintsOf(
    "contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))",
  )
  const uniques = await constraintsOf("contype in ('p', 'u') and conrelid = any($1::regclass[])")
  const { rows: indexes } = await client.query<{ drop: string; create: string }>(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
       from pg_index where indrelid = any($1::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  const { rows: targets } = await client.query<{ create: string }>(
    `select format('alter index %s alter column %s set statistics %s', attrelid::regclass, attnum,
                   attstattarget) as create
       from pg_attribute join pg_index on indexrelid = attrelid
      where indrelid = any($1::regclass[]) and attstattarget >= 0
        and pg_get_indexdef(indexrelid, attnum, true) !~ '^\\w+$'`,
    [tables],
  )
  for (const { drop } of [...keys, ...uniques, ...indexes]) await client.query(drop)
  return [...uniques, ...indexes, ...keys, ...targets].map(({ create }) => create)
}

async function copyTable(client: pg.Client, { name, columns, count, rows }: Table) {
  const began = performance.now()
  const copy = client.query(copyFrom(`copy ${name} (${columns}) from stdin with (freeze)`))
  await pipeline(Readable.from(pieces(rows())), copy)
  const seconds = (performance.now() - began) / 1000
  console.error(`  ${name}: some ${count} rows in ${seconds.toFixed(1)} s`)
}

function* pieces(rows: Iterable<Value[]>) {
  let piece = ''
  for (const row of rows) {
    piece += `${row.map(field).join('\t')}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const field = (value: Value) =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] as string)

/** A text array as COPY reads it. */
export const arrayOf = (texts: Iterable<string>) =>
  `{${[...texts].map((text) => JSON.stringify(text)).join(',')}}`
