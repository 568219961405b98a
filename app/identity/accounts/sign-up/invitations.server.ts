/** Invitations to sign up. A used one leaves no row, so nothing ties an account to it or to who made it. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { logAdminAct } from '../administrators/admin-log.server.ts'
import type { AuthCtx } from '../auth-server/auth-context.server.ts'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'
import type { Invitation } from './invitation.contract.ts'
import { domainsSentence, INVITATIONS_MAX, SIGN_UP_REFUSALS, START_LENGTH } from './sign-up.ts'

const codeHash = (secrets: Secrets, code: string) => secrets.hash('sign-up invitation', code)

const columns = sql`id, start, to_char(made_on, 'YYYY-MM-DD') as "madeOn"`

export const invitations = ({ db }: Pick<Ctx, 'db'>) =>
  db.query<Invitation>(sql`
    select ${columns} from sign_up_invitations order by made_on desc, start`)

/** @throws Refusal conflict */
export const makeInvitation = (ctx: Ctx) =>
  transaction(ctx, async (ctx) => {
    const code = randomBytes(16).toString('base64url')
    const [made] = await ctx.db.query<Invitation>(sql`
      insert into sign_up_invitations (code_hash, start, made_on)
      select ${codeHash(ctx.secrets, code)}, ${code.slice(0, START_LENGTH)}, ${todayOf(ctx)}::date
       where (select count(*) from sign_up_invitations) < ${INVITATIONS_MAX}
      returning ${columns}`)
    if (!made) throw conflict(SIGN_UP_REFUSALS.tooMany)
    await logAdminAct(ctx, { action: 'make-invitation', subject: 'sign up' })
    return { ...made, code }
  })

/** @throws Refusal not-found */
export const revokeInvitation = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const [revoked] = await ctx.db.query<Invitation>(
      sql`delete from sign_up_invitations where id = ${id} returning ${columns}`,
    )
    if (!revoked) throw notFound(SIGN_UP_REFUSALS.noInvitation)
    await logAdminAct(ctx, { action: 'revoke-invitation', subject: 'sign up' })
    return revoked
  })

/**
 * Uses an invitation up if it's needed. Call it in the transaction that creates the account.
 * @throws AuthRefusal signup_disabled
 */
export async function requireMaySignUp(
  { db, secrets, auth }: Pick<AuthCtx, 'db' | 'secrets' | 'auth'>,
  { email, invitation }: { email: string; invitation?: string | undefined },
) {
  const { mode, domains } = auth.signUp ?? { mode: 'open', domains: [] }
  if (mode === 'open') return
  if (mode === 'closed') throw new AuthRefusal('signup_disabled', SIGN_UP_REFUSALS.closed)
  const address = plainAddress(email)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (mode === 'domains' && domains.includes(domain)) return
  if (!invitation)
    throw new AuthRefusal(
      'signup_disabled',
      mode === 'domains' ? domainsSentence(domains) : SIGN_UP_REFUSALS.uninvited,
    )
  const used = await db.query(sql`
    delete from sign_up_invitations where code_hash = ${codeHash(secrets, invitation)} returning id`)
  if (used.length === 0) throw new AuthRefusal('signup_disabled', SIGN_UP_REFUSALS.used)
}
