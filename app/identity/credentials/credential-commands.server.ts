/** Issues credentials: one secret for an account, proven the same with each renewal. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireRecentProof } from '#app/api/auth/recent-proof.server.ts'
import { requireAccount, whyNotRate } from '#app/api/auth/require.server.ts'
import { Ne } from '#app/api/credential/group.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { badRequest, Refusal } from '#app/platform/http/refusal.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { anewFrom } from './credential.ts'

/** The commitments to an account's secret, and what else it may ask for. */
export async function ownCredential(ctx: Ctx) {
  const { id } = requireAccount(ctx)
  const [kept] = await ctx.db.query<{ month: string | null; sealed: Buffer | null }>(
    sql`
    select to_char(month, 'YYYY-MM') as month, sealed
      from (select ${id}::uuid as account_id) account
      left join credential_commitments using (account_id)
      left join credential_vaults using (account_id)`,
    PREPARED,
  )
  return {
    isCommitted: Boolean(kept?.month),
    anewFrom: kept?.month ? anewFrom(kept.month) : null,
    vault: kept?.sealed ? Buffer.from(kept.sealed).toString('base64url') : null,
  }
}

export interface CredentialAsked {
  quarter: string
  request: string
}

/**
 * The response to a first request, whose commitment is kept. What comes later proves the same secret: no quarter
 * gives anybody a second rating. Who asks proved lately who they are, which the contract wants: nobody begins, with
 * a session that they took, in another person's place.
 * @param asked.isAnew takes the place of a secret that is lost
 * @throws Refusal bad-request, conflict, and as `whyNotRate`
 * @throws Unavailable when too many wait
 */
export async function beginCredential(
  ctx: Ctx,
  asked: CredentialAsked & { isAnew: boolean },
  issuer: Issuer,
) {
  const accountId = requireHolder(ctx)
  const request = Buffer.from(asked.request, 'base64url')
  const response = await issuer.issue(purposeOf(asked), { request, commitment: undefined })
  if (!response) throw badRequest('This is no request for a credential of this quarter')
  // What it hides is m1: the first 33 bytes of a request are the commitment to it.
  await commit(ctx, accountId, request.subarray(0, Ne), asked)
  return { response: Buffer.from(response).toString('base64url') }
}

/**
 * The response to a request that proves the secret of the account.
 * @throws Refusal conflict for another secret, and as `whyNotRate`
 * @throws Unavailable when too many wait
 */
export async function renewCredential(ctx: Ctx, asked: CredentialAsked, issuer: Issuer) {
  const commitment = await commitmentOf(ctx, requireHolder(ctx))
  const request = Buffer.from(asked.request, 'base64url')
  const response = commitment && (await issuer.issue(purposeOf(asked), { request, commitment }))
  if (!response)
    throw new Refusal(
      'conflict',
      'This account has another secret. Bring it here from the other device, or begin anew.',
    )
  return { response: Buffer.from(response).toString('base64url') }
}

const purposeOf = ({ quarter }: CredentialAsked) => ({ kind: 'ratings', quarter }) as const

/** @throws Refusal forbidden */
function requireHolder(ctx: Ctx) {
  const why = whyNotRate(ctx.actor)
  if (why) throw why
  return requireAccount(ctx).id
}

export async function commitmentOf({ db }: Pick<Ctx, 'db'>, accountId: string) {
  const [kept] = await db.query<{ commitment: Buffer }>(
    sql`select commitment from credential_commitments where account_id = ${accountId}`,
    PREPARED,
  )
  return kept?.commitment
}

/** Of two at once one keeps its commitment, and the other one is told so. @throws Refusal conflict */
async function commit(ctx: Ctx, accountId: string, commitment: Buffer, asked: { isAnew: boolean }) {
  const month = todayOf(ctx).slice(0, 7)
  // What was sealed is the secret of before, which opens nothing any more.
  const kept = await ctx.db.query(sql`
    with committed as (
      insert into credential_commitments as kept (account_id, commitment, month)
      values (${accountId}, ${commitment}, ${`${month}-01`}::date)
      on conflict (account_id) do update
        set commitment = excluded.commitment, month = excluded.month
        where ${asked.isAnew} and kept.month + interval '7 months' <= ${todayOf(ctx)}::date
      returning account_id
    ), unsealed as (
      delete from credential_vaults vault using committed
       where vault.account_id = committed.account_id and ${asked.isAnew}
    )
    select 1 from committed`)
  if (kept.length > 0) return
  throw new Refusal(
    'conflict',
    asked.isAnew
      ? 'A lost secret is replaced once in half a year, and this account did so or began less than that ago.'
      : 'This account got its secret on another device just now. Bring it here from there.',
  )
}

/** The first is kept as it comes; whoever replaces one has confirmed lately who they are. @throws Refusal */
export async function keepVault(ctx: Ctx, sealed: string) {
  const { id } = requireAccount(ctx)
  const bytes = Buffer.from(sealed, 'base64url')
  const kept = await ctx.db.query(sql`
    insert into credential_vaults (account_id, sealed) values (${id}, ${bytes})
    on conflict do nothing returning 1`)
  if (kept.length === 0) {
    requireRecentProof(ctx)
    await ctx.db.query(sql`update credential_vaults set sealed = ${bytes} where account_id = ${id}`)
  }
  return { isKept: true as const }
}
