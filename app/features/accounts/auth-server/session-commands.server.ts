/** Sessions: opened, refreshed, ended. Their rows hold no time but the day they end on. */

import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { SignedIn } from '../../../auth/actor.ts'
import {
  firstToken,
  nextToken,
  type RefreshToken,
  readToken,
  rotationMark,
  wasJustRotated,
  writeToken,
} from '../../../auth/refresh-tokens.server.ts'
import type { SignInMethod } from '../../../auth/tokens.server.ts'
import { type ServerContext, transaction } from '../../../server/context.server.ts'
import { DAY_MS, dayOf } from '../../../server/days.server.ts'
import { type AccountRow, accountById } from '../account-queries.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'
import { APP_METADATA, userView } from './auth-user.server.ts'

/** A session nobody comes back to ends after this many days… */
const SESSION_DAYS = 90
/** …and one that is used is prolonged in its last third only: the day then tells no habits. */
const PROLONGED_BELOW_DAYS = 30

/** Tabs that wake up together may exchange more than once within the window. */
const MARKS_KEPT = 4

const dayIn = (now: Date, days: number) => dayOf(new Date(now.getTime() + days * DAY_MS))

export type SessionResponse = Awaited<ReturnType<typeof openSession>>

/** Signs an account in. @throws AuthRefusal user_banned */
export async function openSession(ctx: AuthCtx, account: AccountRow, method: SignInMethod) {
  if (account.isSuspended) throw new AuthRefusal('user_banned')
  const id = randomUUID()
  await ctx.db.query(
    sql`
    insert into sessions (id, account_id, method, expires_on)
    values (${id}, ${account.id}, ${method}, ${dayIn(ctx.now(), SESSION_DAYS)}::date)`,
    { name: 'open-session' },
  )
  return sessionResponse(ctx, account, method, firstToken(id, ctx.now()))
}

/**
 * A session in the place of one whose person has just proved again who they are.
 * @throws AuthRefusal session_not_found when that one has ended
 */
export const renewSession = (
  ctx: AuthCtx,
  { id, sessionId }: Pick<SignedIn, 'id' | 'sessionId'>,
  method: SignInMethod,
) =>
  transaction(ctx, async (ctx) => {
    const former = await ctx.db.query(
      sql`delete from sessions where id = ${sessionId} and account_id = ${id} returning id`,
    )
    const account = await accountById(ctx, id)
    if (former.length === 0 || !account) throw new AuthRefusal('session_not_found')
    return openSession(ctx, account, method)
  })

/** The answer of every way to sign in, as the field's client expects it. */
async function sessionResponse(
  ctx: AuthCtx,
  account: AccountRow,
  method: SignInMethod,
  refreshToken: RefreshToken,
) {
  const user = userView(ctx.secrets, account)
  const { tokens } = ctx.auth
  const { token, expiresAt } = tokens.sign(
    {
      session_id: refreshToken.sessionId,
      role: user.role,
      aal: 'aal1',
      amr: [{ method, timestamp: refreshToken.begunAt }],
      email: user.email,
      phone: '',
      app_metadata: APP_METADATA,
      user_metadata: user.user_metadata,
      is_anonymous: false,
    },
    account.id,
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
 * Exchanges a refresh token for the next one: one conditional update, so that of two requests with
 * the same token one wins. The other gets the same successor if it comes within 10 s; later the
 * token must have been stolen, by one of the two who hold it, and the session ends for both.
 */
export async function refreshSession(ctx: AuthCtx, text: string) {
  const token = readToken(ctx.secrets, text)
  if (!token) throw new AuthRefusal('refresh_token_not_found')
  const now = ctx.now()
  const [session] = await ctx.db.query<{ accountId: string; method: SignInMethod }>(sql`
    update sessions
       set counter = counter + 1,
           rotation_marks = (${rotationMark(token, now)}::text || rotation_marks)[1:${raw(String(MARKS_KEPT))}],
           expires_on = case when expires_on < ${dayIn(now, PROLONGED_BELOW_DAYS)}::date
                             then ${dayIn(now, SESSION_DAYS)}::date else expires_on end
     where id = ${token.sessionId} and counter = ${token.number}
       and expires_on >= ${dayIn(now, 0)}::date
    returning account_id as "accountId", method`)
  const { accountId, method, steps } = session
    ? { ...session, steps: 1 }
    : await sessionJustRefreshed(ctx, token)
  const account = await accountById(ctx, accountId)
  if (!account) throw new AuthRefusal('refresh_token_not_found')
  if (account.isSuspended) throw new AuthRefusal('user_banned')
  let next = token
  for (let step = 0; step < steps; step++) next = nextToken(ctx.secrets, next)
  return sessionResponse(ctx, account, method, next)
}

/** The session of a token that was exchanged a moment ago, and how many exchanges ago that was. */
async function sessionJustRefreshed(ctx: AuthCtx, token: RefreshToken) {
  const [session] = await ctx.db.query<{
    accountId: string
    method: SignInMethod
    counter: number
    marks: string[]
    isOver: boolean
  }>(sql`
    select account_id as "accountId", method, counter, rotation_marks as marks,
           expires_on < ${dayIn(ctx.now(), 0)}::date as "isOver"
      from sessions where id = ${token.sessionId}`)
  if (!session) throw new AuthRefusal('refresh_token_not_found')
  if (session.isOver) throw new AuthRefusal('session_expired')
  const steps = session.counter - token.number
  if (wasJustRotated(token, session.marks[steps - 1], ctx.now())) return { ...session, steps }
  await ctx.db.query(sql`delete from sessions where id = ${token.sessionId}`)
  throw new AuthRefusal('refresh_token_already_used')
}

/** Which sessions a person may end: this one, all others, or all. */
export type LogoutScope = 'local' | 'others' | 'global'

export async function endSessions(
  { db }: ServerContext,
  { accountId, sessionId, scope }: { accountId: string; sessionId: string; scope: LogoutScope },
) {
  const which = {
    local: sql`and id = ${sessionId}`,
    others: sql`and id <> ${sessionId}`,
    global: sql``,
  }[scope]
  await db.query(sql`delete from sessions where account_id = ${accountId} ${which}`)
}

/** Takes away what has ended by itself. */
export async function sweepSessions({ db, now }: Pick<ServerContext, 'db' | 'now'>) {
  await db.query(sql`delete from sessions where expires_on < ${dayIn(now(), 0)}::date`)
  await db.query(sql`delete from one_time_tokens where expires_at < ${now().toISOString()}`)
}
