/** Bare numbers of a day or a week; whoever adds to them says nothing about who it was. */
import sql from 'sql-template-tag'
import type { Database } from './database.server.ts'

/**
 * One account more in the week of `today`, in the transaction that makes it. The week and not the
 * day: see the migration. Others who sign up wait for the commit, so it comes late in there.
 */
export const countSignUp = (db: Database, today: string) =>
  db.query(sql`
    insert into daily_counts (name, day, n)
    values ('sign-ups', date_trunc('week', ${today}::date::timestamp)::date, 1)
    on conflict (name, day) do update set n = daily_counts.n + 1`)
