/**
 * Logs what administrators do: with their name and day, and the minute unless it's about an
 * ordinary account. Never with a person's email address.
 */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Actor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { dayOf, startOfMinute } from '#app/platform/days.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { UNNAMED } from '../account.ts'
import { type AdminAction, DATED_TO_THE_DAY, tidySubject } from './admin-action.ts'

interface AdminAct {
  action: AdminAction
  /** A username, a company's name, or "12 companies". */
  subject: string
  /** The log links to the company as long as it exists. */
  companyId?: string
  /** What a setting of the site was, and what it became. */
  before?: string
  after?: string
}

interface DatedAct extends AdminAct {
  act: string
  day: string
  /** Null if we keep only the day. Absent in tasks queued before there were minutes. */
  minute?: string | null
  /** Null for the operator. */
  adminId: string | null
  adminName: string
}

export async function logAdminAct(
  { db, now, actor }: Pick<Ctx, 'db' | 'now' | 'actor'>,
  { action, subject, companyId, before, after }: AdminAct,
) {
  const minute = DATED_TO_THE_DAY.includes(action) ? null : startOfMinute(now())
  await db.query(sql`
    insert into admin_log (done_on, done_at, company_id, admin_id, admin_name, action, subject, before, after)
    values (${dayOf(now())}::date, ${minute}::timestamptz, ${companyId ?? null}::uuid,
            (select id from accounts where id = ${actor.account?.id ?? null}::uuid),
            ${actor.account?.username ?? 'An administrator'}, ${action}, ${tidySubject(subject)},
            ${before ?? null}, ${after ?? null})`)
}

/** The name logged for what people do at the terminal. */
export const OPERATOR_NAME = 'The operator'

export async function logOperatorAct(
  { db, now }: Pick<ServerContext, 'db' | 'now'>,
  { action, subject }: AdminAct,
) {
  await db.query(sql`
    insert into admin_log (done_on, done_at, admin_name, action, subject)
    values (${dayOf(now())}::date, ${startOfMinute(now())}::timestamptz, ${OPERATOR_NAME}, ${action},
            ${tidySubject(subject)})`)
}

/** Logs a queued act on an account, once even if the task runs twice. */
export async function logQueuedAct(
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
  // The administrator may be deleted by now.
  await db.query(sql`
    insert into admin_log (act, done_on, done_at, admin_id, admin_name, action, subject)
    values (${act}::uuid, ${day}::date, ${minute}::timestamptz,
            (select id from accounts where id = ${adminId}::uuid),
            ${adminName}, ${action}, ${tidySubject(subject)})
    on conflict (act) do nothing`)
}

/** Queued within the action's transaction. The administrators' log handles it. */
export const ADMIN_ACTED_TASK: TaskKind<AdminActed> = 'admin-acted'

/** Sealed, because people with the database can read the queue. */
export interface AdminActed {
  sealed: string
}

export type AccountAction =
  | 'grant-administrator'
  | 'revoke-administrator'
  | 'grant-moderator'
  | 'revoke-moderator'
  | 'change-account'
  | 'suspend-account'
  | 'unsuspend-account'
  | 'delete-account'

/** Who acted at the terminal, or through a program with a service token. */
const OPERATOR = { adminId: null, adminName: OPERATOR_NAME }

export async function enqueueAdminAct(
  { db, queue, secrets, now }: Pick<ServerContext, 'db' | 'queue' | 'secrets' | 'now'>,
  manager: 'service' | Actor,
  { action, username }: { action: AccountAction; username: string | null },
) {
  const account = manager === 'service' ? null : manager.account
  const act = {
    // Makes the entry unique if the task runs twice.
    act: randomUUID(),
    day: dayOf(now()),
    // A program may act because someone just signed up, so its minute would show when they did.
    minute: account && !DATED_TO_THE_DAY.includes(action) ? startOfMinute(now()) : null,
    ...(account
      ? { adminId: account.id, adminName: account.username ?? 'An administrator' }
      : OPERATOR),
    action,
    subject: username ?? UNNAMED,
  }
  const acted: AdminActed = { sealed: secrets.seal(JSON.stringify(act)) }
  await queue.enqueue(db, ADMIN_ACTED_TASK, acted)
}
