import sql, { raw } from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { TOO_OLD } from '../database/schema-level.server.ts'
import { dayOf } from '../jobs/days.server.ts'
import {
  BACKUP_FORMAT,
  type BackupHead,
  type FeedRows,
  type TableHead,
} from './backup-file.server.ts'
import {
  migrationsIn,
  quoted,
  rowsOf,
  speakPlainly,
  type Table,
  tablesOf,
} from './backup-tables.server.ts'
import { ConfigError } from './config.server.ts'

export interface Snapshot {
  head: BackupHead
  feed: FeedRows
}

/**
 * Gives `work` all rows as of now, whatever people write meanwhile.
 * @throws ConfigError if the database has no tables of ours
 */
export async function withSnapshot<Result>(
  db: Database,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const names = (await tablesOf(db)).map(({ name }) => quoted(name))
  const nothing = new ConfigError(
    'There is nothing to back up. Kettle has not used this database yet.',
  )
  if (names.length === 0) throw nothing
  if (names.some((name) => name.endsWith('_before"')))
    throw new ConfigError(`The database ${TOO_OLD}.`)
  return db.transaction(async (db) => {
    await db.query(sql`set transaction isolation level repeatable read, read only`)
    await speakPlainly(db)
    // Locked before the first read, which sets the snapshot: reordering replaces the ratings table,
    // and we would see neither of the two.
    await db.query(raw(`lock table ${names} in access share mode`))
    const migrations = await migrationsIn(db)
    if (migrations.length === 0) throw nothing
    const tables = await tablesOf(db)
    const heads: TableHead[] = []
    for (const table of tables) heads.push(await headOf(db, table))
    const feed: FeedRows = async (take) => {
      for (const [i, table] of tables.entries()) {
        const head = heads[i] as TableHead
        for await (const rows of rowsOf(db, table, head.columns)) await take(head, rows)
      }
    }
    const head: BackupHead = {
      kettle: 'backup',
      format: BACKUP_FORMAT,
      madeOn: dayOf(new Date()),
      migrations,
      keyMark: await keyMarkIn(db),
      tables: heads,
    }
    return work({ head, feed })
  })
}

async function headOf(db: Database, { name, columns }: Table): Promise<TableHead> {
  const [count] = await db.query<{ rows: number }>(
    raw(`select count(*) as rows from ${quoted(name)}`),
  )
  const counted: Record<string, string> = {}
  for (const column of columns) {
    if (!column.sequence) continue
    const [last] = await db.query<{ value: string | null }>(
      raw(`select case when is_called then last_value::text end as value from ${column.sequence}`),
    )
    if (last?.value) counted[column.name] = last.value
  }
  return {
    name,
    columns: columns.map(({ name }) => name),
    rows: count?.rows ?? 0,
    counted,
  }
}

/** Written by checkSecrets: identifies the key that sealed this data. */
async function keyMarkIn(db: Database) {
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('key_checks') is not null as is`,
  )
  if (!there?.is) return null
  const [row] = await db.query<{ mark: string }>(
    sql`select mark from key_checks where name = 'secret'`,
  )
  return row?.mark ?? null
}
