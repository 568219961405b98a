import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import type { DataContext } from '../database/server-context.server.ts'
import { HOUR_MS } from '../days.server.ts'
import { sizeText } from '../size-text.ts'
import { type Finding, findingsAbout } from './doctor.server.ts'

/** Setup steps that the owner confirmed. */
type ConfirmedStep = 'backup-otherwise' | 'mailboxes' | 'terms' | 'rules' | 'put-away'

/** Backups are daily. The nightly one may begin later than yesterday's, and take longer. */
const BACKUP_IS_OLD_AFTER_MS = 26 * HOUR_MS
export const isOldBackup = (finishedAt: number, now: Date) =>
  now.getTime() - finishedAt > BACKUP_IS_OLD_AFTER_MS

/** Records that `npm run backup` was complete, but not where the file is. */
export const markBackup = ({ db, now }: DataContext, bytes: number) =>
  db.query(sql`
    insert into owner_steps (name, finished_at, bytes)
    values ('backup', ${now().toISOString()}::timestamptz, ${bytes})
    on conflict (name) do update
      set finished_at = excluded.finished_at, bytes = excluded.bytes, is_mailed = false`)

export async function confirmedSteps(db: Database): Promise<ConfirmedStep[]> {
  const rows = await db.query<{ name: ConfirmedStep }>(
    sql`select name from owner_steps where name <> 'backup'`,
  )
  return rows.map(({ name }) => name)
}

export const confirmSteps = (db: Database, name: ConfirmedStep, isDone: boolean) =>
  db.query(
    isDone
      ? sql`insert into owner_steps (name) values (${name}) on conflict do nothing`
      : sql`delete from owner_steps where name = ${name}`,
  )

interface LastBackup {
  /** ISO. */
  finishedAt: string
  /** Null if an older version made it. */
  bytes: number | null
  /** More than a day, unless the owner backs up in another way. */
  isOld: boolean
}

/** The last `npm run backup`. A site that never had one is only being tried, or its owner's list says so. */
export async function lastBackup({ db, now }: DataContext): Promise<LastBackup | undefined> {
  const [backup] = await db.query<{
    finishedAt: string
    bytes: number | null
    isOnlyOne: boolean
  }>(sql`
    select finished_at as "finishedAt", bytes,
           not exists (select from owner_steps where name = 'backup-otherwise') as "isOnlyOne"
      from owner_steps where name = 'backup'`)
  if (!backup) return undefined
  const { finishedAt, bytes, isOnlyOne } = backup
  return { finishedAt, bytes, isOld: isOnlyOne && isOldBackup(Date.parse(finishedAt), now()) }
}

/**
 * Whether administrators should hear that the last backup is old. True once for each gap, for the first process that asks.
 */
export async function shouldMailOldBackup({ db, now }: DataContext) {
  const rows = await db.query(sql`
    update owner_steps set is_mailed = true
     where name = 'backup' and not is_mailed
       and finished_at < ${new Date(now().getTime() - BACKUP_IS_OLD_AFTER_MS).toISOString()}::timestamptz
       and not exists (select from owner_steps where name = 'backup-otherwise')
    returning name`)
  return rows.length > 0
}

/** The last `npm run backup`. Empty if there was none. */
export async function lastBackupFindings(ctx: DataContext): Promise<Finding[]> {
  const { ok, warning } = findingsAbout('backup')
  const backup = await lastBackup(ctx)
  if (!backup) return []
  const { finishedAt, bytes, isOld } = backup
  const when = `${finishedAt.slice(0, 16).replace('T', ' ')} UTC`
  return isOld
    ? [
        warning(
          `The last npm run backup is more than a day old (${when}). Make one every day (docs/operations.md).`,
        ),
      ]
    : [
        ok(
          `The last npm run backup is from ${when}${bytes === null ? '' : ` (${sizeText(bytes)})`}.`,
        ),
      ]
}
