/** Mails that nobody took, in numbers: never to whom. */
import sql from 'sql-template-tag'
import type { DataContext } from '../database/context.server.ts'
import type { Database } from '../database/database.server.ts'
import { dayOf } from '../jobs/days.server.ts'
import { MAIL_REFUSALS, MAY_HAVE_ARRIVED } from './mail.server.ts'

/** Of whom a mail would go to, a sealed address lies in its row: not for ever. */
const KEPT_DAYS = 30
/** Nobody needs to know it more exactly, and a count must not become work. */
const COUNTED_AT_MOST = 10_000
const OF_MAILS = [...MAIL_REFUSALS, MAY_HAVE_ARRIVED]

export interface GivenUp {
  kind: string
  reason: string
  count: number
}

/** Work that is not tried again, by its kind and why; together at most 10,000. */
export const givenUp = (db: Database) =>
  db.query<GivenUp>(sql`
    select kind, reason, count(*) as count
      from (select kind, given_up as reason from job_queue
             where due_at is null and given_up is not null limit ${COUNTED_AT_MOST}) as counted
     group by kind, reason order by kind, reason`)

/** Forgets mails that could not be delivered a month ago. Other work that was given up stays. */
export async function sweepGivenUpMails({ db, now }: DataContext) {
  await db.query(sql`
    delete from job_queue
     where due_at is null and given_up = any (${OF_MAILS}::text[])
       and given_up_on < ${dayOf(now())}::date - ${KEPT_DAYS}::integer`)
}
