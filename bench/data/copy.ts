/** Fills tables by COPY, with everything that only slows a bulk load put aside meanwhile. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Options } from 'cli-progress'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | null

/** A table to fill; `rows` starts anew at each call. */
export interface Table {
  name: string
  columns: string[]
  count: number
  rows(): Iterable<Value[]>
}

/** Rows are sent in pieces of about this size. */
const PIECE_CHARACTERS = 256 * 1024

/**
 * Fills `tables`, in their order and in one transaction: all or nothing. Their
 * triggers do not run, and their indexes and keys are dropped before and made again after: at a
 * million rows that takes a fraction of the time. `after` writes what the triggers would have written.
 * @throws Error when one of them is not empty
 */
export async function bulkLoad(
  client: pg.Client,
  tables: Table[],
  after: (client: pg.Client) => Promise<void> = async () => {},
) {
  await client.query('begin')
  try {
    await client.query(`set local maintenance_work_mem = '1GB'`)
    await client.query('set local synchronous_commit = off')
    const names = tables.map((table) => table.name)
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    for (const name of names)
      if ((await client.query(`select from ${name} limit 1`)).rowCount)
        throw new Error(`The table ${name} is not empty`)
    const recreate = await putAside(client, names)
    // What was emptied in this transaction is written frozen: nobody has to go through it again.
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of tables) await copyTable(client, table)
    await after(client)
    await withProgress('indexes', recreate.length, async (advance) => {
      for (const statement of recreate) {
        await client.query(statement)
        advance(1)
      }
    })
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  // Index-only scans need the visibility map, and no transaction may hold these.
  await withProgress('vacuum', tables.length, async (advance) => {
    for (const { name } of tables) {
      await client.query(`vacuum (analyze) ${name}`)
      advance(1)
    }
  })
}

/** Drops what can be made again; answers the statements that make it. */
async function putAside(client: pg.Client, tables: string[]) {
  const { rows: keys } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                   pg_get_constraintdef(oid)) as create
       from pg_constraint
      where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`,
    [tables],
  )
  const { rows: uniques } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                   pg_get_constraintdef(oid)) as create
       from pg_constraint where contype in ('p', 'u') and conrelid = any($1::regclass[])`,
    [tables],
  )
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

const copyTable = (client: pg.Client, { name, columns, count, rows }: Table) =>
  withProgress(name, count, async (advance) => {
    const copy = client.query(
      copyFrom(`copy ${name} (${columns.join(', ')}) from stdin with (freeze)`),
    )
    await pipeline(Readable.from(pieces(rows(), advance)), copy)
  })

function* pieces(rows: Iterable<Value[]>, advance: (rows: number) => void) {
  let piece = ''
  let held = 0
  for (const row of rows) {
    piece += `${row.map(field).join('\t')}\n`
    held++
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    advance(held)
    piece = ''
    held = 0
  }
  yield piece
  advance(held)
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const field = (value: Value) =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] as string)

/** A bar on a terminal, a line at the end of each part elsewhere. */
async function withProgress(
  what: string,
  total: number,
  work: (advance: (by: number) => void) => Promise<void>,
) {
  const name = what.padEnd(16)
  if (!process.stderr.isTTY) {
    const began = performance.now()
    await work(() => {})
    console.error(`${name} ${total} in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    return
  }
  // Not at the top: tests fill tables too, and bench/node_modules may not be there.
  const { Presets, SingleBar } = await import('cli-progress')
  const bar = new SingleBar(BAR, Presets.shades_classic)
  bar.start(total, 0, { what: name })
  try {
    await work((by) => bar.increment(by))
  } finally {
    bar.stop()
  }
}

const BAR: Options = {
  format: '{what} {bar} {value}/{total}  {duration_formatted}',
  etaBuffer: 100,
}
