import sql from 'sql-template-tag'
import type { DataContext } from '../database/context.server.ts'
import type { Database } from '../database/database.server.ts'
import { dayOf } from '../jobs/days.server.ts'
import { MAIL_REFUSALS, MAY_HAVE_ARRIVED } from './mail.server.ts'

/** An undeliverable mail's row holds a sealed address, so it's not kept for ever. */
const KEPT_DAYS = 30
/** Enough for monitoring, and keeps counting cheap. */
const COUNTED_AT_MOST = 10_000
const OF_MAILS = [...MAIL_REFUSALS, MAY_HAVE_ARRIVED]

export interface GivenUp {
  kind: string
  reason: string
  count: number
}

/** Jobs given up, by kind and reason. At most 10,000 in total. */
export const givenUp = (db: Database) =>
  db.query<GivenUp>(sql`
    select kind, reason, count(*) as count
      from (select kind, given_up as reason from job_queue
             where due_at is null and given_up is not null limit ${COUNTED_AT_MOST}) as counted
     group by kind, reason order by kind, reason`)

/** Deletes mails that could not be delivered a month ago. Other jobs that were given up stay. */
export async function sweepGivenUpMails({ db, now }: DataContext) {
  await db.query(sql`
    delete from job_queue
     where due_at is null and given_up = any (${OF_MAILS}::text[])
       and given_up_on < ${dayOf(now())}::date - ${KEPT_DAYS}::integer`)
}
