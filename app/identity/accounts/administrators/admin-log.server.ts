/**
 * What administrators did is written down: under their name, with the day and, of what is not done to an
 * ordinary account, the minute; never with an address.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { dayOf, startOfMinute } from '#app/platform/jobs/days.server.ts'
import { type AdminAction, DATED_TO_THE_DAY, tidySubject } from './admin-action.ts'

export interface AdminAct {
  action: AdminAction
  /** A username, the name of a company, "12 companies". */
  subject: string
  /** The company that it is about, to lead there while it is there. */
  companyId?: string
}

/** The same with everything that its entry holds. */
interface DatedAct extends AdminAct {
  act: string
  day: string
  /** Null where only the day is kept; absent in what waited since before there were minutes. */
  minute?: string | null
  /** Null for the operator at the terminal. */
  adminId: string | null
  adminName: string
}

/** Writes down what the acting administrator did, in the transaction of the act. */
export async function logAdminAct(
  { db, now, actor }: Pick<Ctx, 'db' | 'now' | 'actor'>,
  { action, subject, companyId }: AdminAct,
) {
  const minute = DATED_TO_THE_DAY.includes(action) ? null : startOfMinute(now())
  await db.query(sql`
    insert into admin_log (done_on, done_at, company_id, admin_id, admin_name, action, subject)
    values (${dayOf(now())}::date, ${minute}::timestamptz, ${companyId ?? null}::uuid,
            (select id from accounts where id = ${actor.account?.id ?? null}::uuid),
            ${actor.account?.username ?? 'An administrator'}, ${action}, ${tidySubject(subject)})`)
}

/** Whoever runs the server, at the terminal. */
export const OPERATOR_NAME = 'The operator'

/** The same of what was done there. */
export async function logOperatorAct(
  { db, now }: Pick<ServerContext, 'db' | 'now'>,
  { action, subject }: AdminAct,
) {
  await db.query(sql`
    insert into admin_log (done_on, done_at, admin_name, action, subject)
    values (${dayOf(now())}::date, ${startOfMinute(now())}::timestamptz, ${OPERATOR_NAME}, ${action},
            ${tidySubject(subject)})`)
}

/** Writes down what accounts tell by a job, once however often it is told. */
export async function logToldAct(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  { sealed }: { sealed: string },
) {
  const {
    act,
    day,
    minute = null,
    adminId,
    adminName,
    action,
    subject,
  } = JSON.parse(secrets.open(sealed)) as DatedAct
  // Whoever did it may have gone meanwhile.
  await db.query(sql`
    insert into admin_log (act, done_on, done_at, admin_id, admin_name, action, subject)
    values (${act}::uuid, ${day}::date, ${minute}::timestamptz,
            (select id from accounts where id = ${adminId}::uuid),
            ${adminName}, ${action}, ${tidySubject(subject)})
    on conflict (act) do nothing`)
}
