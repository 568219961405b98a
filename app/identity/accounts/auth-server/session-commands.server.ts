/** Opens, refreshes and ends sessions. A live session writes nothing, because its tokens hold all of its state. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { isTooOldForAdmins, type Person } from '#app/api/auth/actor.server.ts'
import {
  type Authentication,
  firstToken,
  isOver,
  laterToken,
  newAuthentication,
  type RefreshToken,
  readToken,
  type SecondMethod,
  writeToken,
} from '#app/api/auth/refresh-tokens.server.ts'
import {
  endAllSessions,
  endedAmong,
  endOtherSessions,
  endSession,
  generationNow,
  marksOf,
  presentGeneration,
  sweepMarks,
} from '#app/api/auth/session-marks.server.ts'
import type { SignInMethod } from '#app/api/auth/tokens.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { type AccountRow, accountById, accountColumns } from '../account-queries.server.ts'
import { factorsOf } from '../second-factors/factor-rows.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'
import { APP_METADATA, userView } from './auth-user.server.ts'

export type SessionResponse = Awaited<ReturnType<typeof openSession>>

interface Opening {
  authentication?: Authentication
  /**
   * Read before the password check, so anything that ends all sessions meanwhile also ends this one.
   * Defaults to the current generation.
   */
  generation?: number
}

export async function openSession(
  ctx: AuthCtx,
  account: AccountRow,
  method: SignInMethod,
  { authentication = newAuthentication(ctx.now()), generation }: Opening = {},
) {
  if (account.isSuspended) throw new AuthRefusal('user_banned')
  const session = {
    ...authentication,
    accountId: account.id,
    sessionId: randomUUID(),
    generation: generation ?? (await presentGeneration(ctx, account.id)),
    method,
  }
  const user = await ownView(ctx, account)
  return sessionResponse(ctx, user, firstToken(session, ctx.now()))
}

/**
 * Replaces a session after its person confirmed who they are, with a password or second factor. The new session keeps
 * what the old one proved, and when it began.
 * @throws AuthRefusal session_not_found if the old one has ended
 */
export const renewSession = (
  ctx: AuthCtx,
  {
    account: { id, sessionId, generation },
    authentication,
    method,
  }: Omit<Person, 'actor' | 'isTooOld'>,
  by: 'password' | SecondMethod,
) =>
  transaction(ctx, async (ctx) => {
    const hasEnded = await endSession(ctx, sessionId)
    const account = await accountById(ctx, id)
    if (!hasEnded || !account) throw new AuthRefusal('session_not_found')
    const { authenticatedAt: at } = newAuthentication(ctx.now())
    return by === 'password'
      ? openSession(ctx, account, by, {
          generation,
          authentication: { ...authentication, authenticatedAt: at },
        })
      : openSession(ctx, account, method, {
          generation,
          authentication: { ...authentication, second: { method: by, at } },
        })
  })

const ownView = async (ctx: AuthCtx, account: AccountRow) =>
  userView(ctx.secrets, account, await factorsOf(ctx, account.id))

/** The answer to every sign-in, as the field's client expects it. */
function sessionResponse(
  ctx: AuthCtx,
  user: ReturnType<typeof userView>,
  refreshToken: RefreshToken,
) {
  const { tokens } = ctx.auth
  const { begunAt, authenticatedAt, second, method } = refreshToken
  const { token, expiresAt } = tokens.sign(
    {
      session_id: refreshToken.sessionId,
      session_generation: refreshToken.generation,
      session_number: refreshToken.number,
      role: user.role,
      aal: second ? 'aal2' : 'aal1',
      amr: [
        { method, timestamp: authenticatedAt },
        ...(second ? [{ method: second.method, timestamp: second.at }] : []),
      ],
      session_began: begunAt,
      email: user.email,
      phone: '',
      app_metadata: APP_METADATA,
      user_metadata: user.user_metadata,
      is_anonymous: false,
    },
    user.id,
  )
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: tokens.lifetime,
    expires_at: expiresAt,
    refresh_token: writeToken(ctx.secrets, refreshToken),
    user,
  }
}

/**
 * Exchanges a refresh token for the next one, in memory. The same token gets the newest one again
 * within 10 s, or as long as no one has used the newest, because then the answer was lost. Otherwise,
 * one of the token's two holders stole it, and the session ends for both.
 */
export async function refreshSession(ctx: AuthCtx, text: string) {
  const now = ctx.now()
  const token = readToken(ctx.secrets, text)
  if (!token) throw new AuthRefusal('refresh_token_not_found')
  if (isOver(token, now)) throw new AuthRefusal('session_expired')
  const { account, hasDuty, generation } = await accountBehind(ctx, token)
  if (account.isSuspended) throw new AuthRefusal('user_banned')
  if (hasDuty && isTooOldForAdmins(token, now)) {
    await endSession(ctx, token.sessionId)
    throw new AuthRefusal('session_expired')
  }
  const user = await ownView(ctx, account)
  // We exchange the token last, because nothing may fail afterwards. Clients without an answer retry
  // with the same token.
  const number = ctx.auth.exchanges.exchange(token, now)
  if (number === undefined) return endStolen(ctx, token)
  return sessionResponse(ctx, user, laterToken(token, { number, generation }, now))
}

async function endStolen(ctx: AuthCtx, { sessionId }: RefreshToken): Promise<never> {
  await endSession(ctx, sessionId)
  throw new AuthRefusal('refresh_token_already_used')
}

/** @throws AuthRefusal refresh_token_not_found if the session has ended or the account is deleted */
async function accountBehind(ctx: AuthCtx, token: RefreshToken) {
  const marks = marksOf(ctx.secrets, token)
  const [row] = await ctx.db.query<AccountRow & { hasDuty: boolean; ended: string[] }>(
    sql`
    select ${accountColumns}, ${endedAmong(marks)},
           exists (select from admin_users admin where admin.id = accounts.id)
             or exists (select from moderators mod where mod.id = accounts.id) as "hasDuty"
      from accounts where id = ${token.accountId}`,
    PREPARED,
  )
  const generation = row && (await generationNow(ctx, token, { marks, ended: row.ended }))
  if (!row || generation === undefined) throw new AuthRefusal('refresh_token_not_found')
  const { hasDuty, ended: _, ...account } = row
  return { account, hasDuty, generation }
}

type LogoutScope = 'local' | 'others' | 'global'

/** @throws AuthRefusal session_not_found if the one to stay has ended meanwhile */
export async function endSessions(
  ctx: Pick<ServerContext, 'db' | 'secrets' | 'now'>,
  { id: accountId, sessionId, generation }: Person['account'],
  scope: LogoutScope,
) {
  if (scope === 'local') await endSession(ctx, sessionId)
  else if (scope === 'global') await endAllSessions(ctx, accountId)
  else if (!(await endOtherSessions(ctx, { accountId, sessionId, generation })))
    throw new AuthRefusal('session_not_found')
}

export async function sweepSessions({ db, now }: Pick<ServerContext, 'db' | 'now'>) {
  const today = todayOf({ now })
  await sweepMarks({ db }, today)
  await db.query(sql`delete from one_time_tokens where over_on < ${today}::date`)
}
