import { randomUUID } from 'node:crypto'
import type { Actor } from '#app/api/auth/actor.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { dayOf, startOfMinute } from '#app/platform/jobs/days.server.ts'
import { UNNAMED } from '../account.ts'
import { DATED_TO_THE_DAY } from './admin-action.ts'
import { OPERATOR_NAME } from './admin-log.server.ts'

/** Queued within the transaction of the act. The administrators' log handles it. */
export const ADMIN_ACTED = 'admin-acted'

/** Sealed, as the queue can be read in the database. */
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

/** Acts at the terminal, or by a program with a service token. */
const OPERATOR = { adminId: null, adminName: OPERATOR_NAME }

export async function enqueueAdminAct(
  { db, jobs, secrets, now }: Pick<ServerContext, 'db' | 'jobs' | 'secrets' | 'now'>,
  manager: 'service' | Actor,
  { action, username }: { action: AccountAction; username: string | null },
) {
  const account = manager === 'service' ? null : manager.account
  const act = {
    // Makes the entry unique if the job runs twice.
    act: randomUUID(),
    day: dayOf(now()),
    // A program may act because someone just signed up, so its minute would be theirs.
    minute: account && !DATED_TO_THE_DAY.includes(action) ? startOfMinute(now()) : null,
    ...(account
      ? { adminId: account.id, adminName: account.username ?? 'An administrator' }
      : OPERATOR),
    action,
    subject: username ?? UNNAMED,
  }
  const acted: AdminActed = { sealed: secrets.seal(JSON.stringify(act)) }
  await jobs.enqueue(db, ADMIN_ACTED, acted)
}
