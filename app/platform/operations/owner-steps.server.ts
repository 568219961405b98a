import sql from 'sql-template-tag'
import type { DataContext } from '../database/context.server.ts'
import type { Database } from '../database/database.server.ts'
import { DAY_MS, todayOf } from '../days.server.ts'
import { about, type Finding } from './doctor.server.ts'
import { BACKUP_IS_OLD_AFTER_DAYS } from './doctor-disk.server.ts'

/** Setup steps that the owner confirmed. */
type SaidStep = 'backup-otherwise' | 'rules' | 'put-away'

/** Records the day of `npm run backup`, but not where the file is. */
export const markBackup = ({ db, now }: DataContext) =>
  db.query(sql`
    insert into owner_steps (name, day) values ('backup', ${todayOf({ now })}::date)
    on conflict (name) do update set day = excluded.day`)

export async function saidSteps(db: Database): Promise<SaidStep[]> {
  const rows = await db.query<{ name: SaidStep }>(
    sql`select name from owner_steps where name <> 'backup'`,
  )
  return rows.map(({ name }) => name)
}

export const saySteps = (db: Database, name: SaidStep, isDone: boolean) =>
  db.query(
    isDone
      ? sql`insert into owner_steps (name) values (${name}) on conflict do nothing`
      : sql`delete from owner_steps where name = ${name}`,
  )

/** The age of the last `npm run backup`. Empty if there was none. */
export async function lastBackupFindings({ db, now }: DataContext): Promise<Finding[]> {
  const { ok, warning } = about('backup')
  const [backup] = await db.query<{ day: string }>(
    sql`select to_char(day, 'YYYY-MM-DD') as day from owner_steps where name = 'backup'`,
  )
  if (!backup) return []
  const days = Math.round((Date.parse(todayOf({ now })) - Date.parse(backup.day)) / DAY_MS)
  return days >= BACKUP_IS_OLD_AFTER_DAYS
    ? [
        warning(
          `The last npm run backup was ${days} days ago. Make one every day (docs/operations.md).`,
        ),
      ]
    : [ok(`The last npm run backup was on ${backup.day}.`)]
}
