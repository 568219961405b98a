import sql from 'sql-template-tag'
import { addressOf, mailboxOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount, requireRecentLogin } from '#app/api/auth/require.server.ts'
import { Ne } from '#app/api/credential/group.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { firstDayOf, quartersAround, quartersBeside } from '#app/api/credential/quarter.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { badRequest, conflict, forbidden, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { CREDENTIAL_REFUSALS, HANDOVER_S, ISSUER_PATH, replaceableFrom } from './credential.ts'

/** The commitment to the account's secret, and its sealed backup. */
export async function ownCredential(ctx: Ctx) {
  const { id } = requireAccount(ctx)
  const [row] = await ctx.db.query<{ month: string | null; sealed: Buffer | null }>(
    sql`
    select to_char(month, 'YYYY-MM') as month, sealed
      from (select ${id}::uuid as account_id) account
      left join credential_commitments using (account_id)
      left join credential_vaults using (account_id)`,
    PREPARED,
  )
  return {
    isCommitted: Boolean(row?.month),
    anewFrom: row?.month ? replaceableFrom(row.month) : null,
    vault: row?.sealed ? Buffer.from(row.sealed).toString('base64url') : null,
  }
}

interface CredentialInput {
  quarter: string
  request: string
  vault?: string | undefined
}

/**
 * Answers a first request and stores its commitment. Later requests must prove the same secret, so
 * no quarter gives anyone a second rating. The contract requires a recent proof of identity, so a stolen session can't
 * begin in its person's place.
 * @param input.isAnew replaces a lost secret
 * @throws Refusal bad-request, conflict, forbidden for a mailbox whose other account got one
 * @throws Unavailable if too many wait
 */
export async function beginCredential(
  ctx: Ctx,
  input: CredentialInput & { isAnew: boolean },
  issuer: Issuer,
) {
  const { id: accountId } = requireAccount(ctx)
  const request = Buffer.from(input.request, 'base64url')
  const response = await issuer.issue(purposeOf(input), { request, commitment: undefined })
  if (!response) throw badRequest(CREDENTIAL_REFUSALS.otherQuarter)
  const isKept = await transaction(ctx, async (ctx) => {
    // The first 33 bytes are the commitment to the hidden secret m1.
    await commit(ctx, accountId, request.subarray(0, Ne), input)
    const free = await takeMailbox(ctx, accountId, input.quarter)
    // Replacing a lost secret has a waiting time of its own.
    if (free && !input.isAnew) throw forbidden(CREDENTIAL_REFUSALS.mailboxTaken(free))
    return keepFirstVault(ctx, accountId, input.vault)
  })
  return { response: Buffer.from(response).toString('base64url'), isKept }
}

/**
 * Answers a request that proves the account's secret.
 * @throws Refusal conflict for another secret
 * @throws Unavailable if too many wait
 */
export async function renewCredential(ctx: Ctx, input: CredentialInput, issuer: Issuer) {
  const { id: accountId } = requireAccount(ctx)
  const commitment = await commitmentOf(ctx, accountId)
  const request = Buffer.from(input.request, 'base64url')
  const response = commitment && (await issuer.issue(purposeOf(input), { request, commitment }))
  if (!response) throw conflict(CREDENTIAL_REFUSALS.otherSecret)
  await takeMailbox(ctx, accountId, input.quarter)
  const isKept = await keepFirstVault(ctx, accountId, input.vault)
  return { response: Buffer.from(response).toString('base64url'), isKept }
}

const purposeOf = ({ quarter }: CredentialInput) => ({ kind: 'ratings', quarter }) as const

export async function commitmentOf({ db }: Pick<Ctx, 'db'>, accountId: string) {
  const [row] = await db.query<{ commitment: Buffer }>(
    sql`select commitment from credential_commitments where account_id = ${accountId}`,
    PREPARED,
  )
  return row?.commitment
}

/**
 * If two requests come at once, one is stored and the other refused.
 * @throws Refusal conflict
 */
async function commit(
  ctx: Ctx,
  accountId: string,
  commitment: Buffer,
  { isAnew }: { isAnew: boolean },
) {
  const month = todayOf(ctx).slice(0, 7)
  // A vault seals the former secret, which is useless now.
  const committed = await ctx.db.query(sql`
    with committed as (
      insert into credential_commitments as kept (account_id, commitment, month)
      values (${accountId}, ${commitment}, ${`${month}-01`}::date)
      on conflict (account_id) do update
        set commitment = excluded.commitment, month = excluded.month
        where ${isAnew} and kept.month + interval '7 months' <= ${todayOf(ctx)}::date
      returning account_id
    ), unsealed as (
      delete from credential_vaults vault using committed
       where vault.account_id = committed.account_id and ${isAnew}
    )
    select 1 from committed`)
  if (committed.length > 0) return
  throw conflict(isAnew ? CREDENTIAL_REFUSALS.replaced : CREDENTIAL_REFUSALS.secretElsewhere)
}

/**
 * Stores that this account's mailbox has a credential of this quarter.
 * @returns the first day another account may get one, if the mailbox had one this quarter or last
 */
async function takeMailbox(ctx: Ctx, accountId: string, quarter: string) {
  const { db, secrets } = ctx
  const [account] = await db.query<{ id: string; emailSealed: string }>(
    sql`select id, email_sealed as "emailSealed" from accounts where id = ${accountId}`,
  )
  if (!account) throw notFound(CREDENTIAL_REFUSALS.noAccount)
  const mailbox = mailboxOf(addressOf(secrets, account))
  const [before, now, next] = quartersBeside(quarter)
  const keyIn = (quarter: string) =>
    Buffer.from(secrets.hash('credential mailbox', quarter, mailbox), 'base64url')
  const taken = await db.query<{ quarter: string }>(sql`
    with had as (
      select quarter from credential_mailboxes where mailbox in (${keyIn(before)}, ${keyIn(now)})
    ), taken as (
      insert into credential_mailboxes (mailbox, quarter) values (${keyIn(now)}, ${now})
      on conflict do nothing returning mailbox
    )
    select quarter from had
    union all
    -- Another request of this moment, which the first line can't see yet.
    select ${now} where not exists (select from taken)`)
  if (taken.length === 0) return undefined
  return firstDayOf(taken.some((row) => row.quarter === now) ? quartersBeside(next)[2] : next)
}

/** Forgets the mailboxes whose credentials have ended. */
export const forgetMailboxes = ({ db, now }: Pick<Ctx, 'db' | 'now'>) =>
  db.query(
    sql`delete from credential_mailboxes where quarter < ${quartersAround(todayOf({ now }))[0]}`,
  )

/** @returns false if the account already has a vault, which stays, or `sealed` is undefined */
async function keepFirstVault({ db }: Pick<Ctx, 'db'>, accountId: string, sealed?: string) {
  if (sealed === undefined) return false
  const stored = await db.query(sql`
    insert into credential_vaults (account_id, sealed)
    values (${accountId}, ${Buffer.from(sealed, 'base64url')})
    on conflict do nothing returning 1`)
  return stored.length > 0
}

/**
 * Replacing a vault needs a recent proof of identity.
 * @throws Refusal
 */
export async function keepVault(ctx: Ctx, sealed: string) {
  const { id } = requireAccount(ctx)
  if (!(await keepFirstVault(ctx, id, sealed))) {
    requireRecentLogin(ctx)
    const bytes = Buffer.from(sealed, 'base64url')
    await ctx.db.query(sql`update credential_vaults set sealed = ${bytes} where account_id = ${id}`)
  }
  return { isKept: true as const }
}

/** Needs no account, because only the two devices can compute the id. @throws Refusal conflict */
export async function keepHandover(ctx: Pick<Ctx, 'db' | 'now'>, id: string, sealed: string) {
  await forgetHandovers(ctx)
  const stored = await ctx.db.query(sql`
    insert into handovers (id, sealed, expires_at)
    values (${Buffer.from(id, 'base64url')}, ${Buffer.from(sealed, 'base64url')},
            ${new Date(ctx.now().getTime() + HANDOVER_S * 1_000)})
    on conflict do nothing returning 1`)
  if (stored.length === 0) throw conflict(CREDENTIAL_REFUSALS.handoverOver)
  return { isKept: true as const }
}

/** Taking it deletes it, so only one device gets it. @throws Refusal gone */
export async function takeHandover({ db, now }: Pick<Ctx, 'db' | 'now'>, id: string) {
  const [taken] = await db.query<{ sealed: Buffer; isOver: boolean }>(sql`
    delete from handovers where id = ${Buffer.from(id, 'base64url')}
    returning sealed, expires_at <= ${now()} as "isOver"`)
  if (!taken || taken.isOver) throw new Refusal('gone', CREDENTIAL_REFUSALS.handoverOver)
  return { sealed: Buffer.from(taken.sealed).toString('base64url') }
}

export const forgetHandovers = ({ db, now }: Pick<Ctx, 'db' | 'now'>) =>
  db.query(sql`delete from handovers where expires_at <= ${now()}`)

/** One URL, the same for everyone, so we couldn't give someone their own keys unnoticed. */
const AN_HOUR = 'public, max-age=3600'

export const serveIssuerKeys = (http: Http, issuer: Pick<Issuer, 'list'>) =>
  http.get(ISSUER_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('cache-control', AN_HOUR)
      // Other sites keep copies of the list, and browsers read them.
      .header('access-control-allow-origin', '*')
      .send(await issuer.list()),
  )
