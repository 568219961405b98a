/** What was done to an account, for the log of the administrators, which another feature keeps. */
import { randomUUID } from 'node:crypto'
import type { Actor } from '#app/api/auth/actor.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { dayOf, startOfMinute } from '#app/platform/jobs/days.server.ts'
import { UNNAMED } from '../account.ts'
import { DATED_TO_THE_DAY } from './admin-action.ts'
import { OPERATOR_NAME } from './admin-log.server.ts'

/** Told in the transaction of the act; whoever keeps the log handles it. */
export const ADMIN_ACTED = 'admin-acted'

/** Sealed: the queue lies open in the database. */
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

/** Whoever runs the server: at the terminal, or by a program with a service token. */
const OPERATOR = { adminId: null, adminName: OPERATOR_NAME }

export async function enqueueAdminAct(
  { db, jobs, secrets, now }: Pick<ServerContext, 'db' | 'jobs' | 'secrets' | 'now'>,
  manager: 'service' | Actor,
  { action, username }: { action: AccountAction; username: string | null },
) {
  const account = manager === 'service' ? null : manager.account
  const told = {
    // By it the log knows an act that it is told of twice.
    act: randomUUID(),
    day: dayOf(now()),
    // A program with a service token may act because somebody just signed up: its minute would be theirs.
    minute: account && !DATED_TO_THE_DAY.includes(action) ? startOfMinute(now()) : null,
    ...(account
      ? { adminId: account.id, adminName: account.username ?? 'An administrator' }
      : OPERATOR),
    action,
    subject: username ?? UNNAMED,
  }
  const acted: AdminActed = { sealed: secrets.seal(JSON.stringify(told)) }
  await jobs.enqueue(db, ADMIN_ACTED, acted)
}
