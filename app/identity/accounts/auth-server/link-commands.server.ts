import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import {
  addressHash,
  addressOf,
  newAddressOf,
  sealedAddress,
} from '#app/api/auth/addresses.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { endAllSessions } from '#app/api/auth/session-marks.server.ts'
import type { SignInMethod } from '#app/api/auth/tokens.server.ts'
import { mailCodeOf } from '#app/kit/writing/mail-code.ts'
import { isUniqueViolation } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf, todayOf } from '#app/platform/days.server.ts'
import { accountById } from '../account-queries.server.ts'
import { forgetFactors } from '../second-factors/factor-rows.server.ts'
import { type Challenge, enqueueMail, type LinkKind } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'
import { openSession } from './session-commands.server.ts'

/** Emails may arrive late, twice, or because a stranger asked, so each of the last ones works. */
const LINKS_VALID = 3

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

interface NewToken extends Challenge {
  accountId: string
  kind: LinkKind | 'code'
  method: Exclude<SignInMethod, 'password'>
  addressHash?: string
}

async function insertToken({ db, now }: AuthCtx, token: NewToken) {
  const text = newLinkToken(token.kind, now())
  const [inserted] = await db.query<{ linkNumber: number }>(sql`
    insert into one_time_tokens
      (token_hash, account_id, kind, method, code_challenge, code_challenge_method, over_on,
       address_hash, link_number)
    select ${hashOf(text)}, ${token.accountId}::uuid, ${token.kind}, ${token.method},
           ${token.codeChallenge ?? null}, ${token.codeChallengeMethod ?? null},
           ${dayOverAfter(now())}::date, ${token.addressHash ?? null},
           coalesce(max(link_number), 0) + 1
      from one_time_tokens where account_id = ${token.accountId} and kind = ${token.kind}
    returning link_number as "linkNumber"`)
  return { text, linkNumber: inserted?.linkNumber ?? 1 }
}

/** A new link's token. The last three of its kind work until one of them is used. */
export const makeLink = (
  ctx: AuthCtx,
  link: Challenge & { accountId: string; kind: LinkKind; addressHash?: string },
) =>
  transaction(ctx, async (ctx) => {
    const method = link.kind === 'recovery' ? 'recovery' : 'otp'
    const { text, linkNumber } = await insertToken(ctx, { ...link, method })
    await ctx.db.query(sql`
      delete from one_time_tokens
       where account_id = ${link.accountId} and kind = ${link.kind} and link_number <= ${linkNumber - LINKS_VALID}`)
    return text
  })

export const forgetLinks = ({ db }: Pick<AuthCtx, 'db'>, accountId: string) =>
  db.query(sql`delete from one_time_tokens where account_id = ${accountId}`)

/** Ends every session, and every link that could open one. */
export async function signOutEverywhere(ctx: Pick<AuthCtx, 'db' | 'secrets'>, accountId: string) {
  await endAllSessions(ctx, accountId)
  await forgetLinks(ctx, accountId)
}

interface UsedLink extends Challenge {
  accountId: string
  method: Exclude<SignInMethod, 'password'>
  /** The account's password was cleared, so the person who used the link chooses one. */
  needsPassword?: boolean
}

/**
 * Uses a link and, with it, the others of its kind. The link shows access to the mailbox, so the
 * address is confirmed too.
 * @param knownIds ids, separated by blanks, of accounts that this browser signed up or is signed in
 * to. No one else ever learns an account's id, so if this one isn't among them, a stranger may have
 * created the account to hijack it later.
 * @throws AuthRefusal otp_expired if the link is used, too old or unknown
 */
export async function openLink(ctx: AuthCtx, token: string, kind: LinkKind, knownIds = '') {
  if (!isInTime(token, kind, ctx.now())) throw new AuthRefusal('otp_expired')
  return spendLink(ctx, hashOf(token), kind, knownIds)
}

/**
 * The same with the code in a sign-up's email. Takes just as long for an address without an account.
 * @throws AuthRefusal otp_expired also for a wrong code
 */
export async function openByCode(ctx: AuthCtx, email: string, code: string, knownIds = '') {
  const links = await ctx.db.query<{ hash: string }>(sql`
    select token_hash as hash
      from one_time_tokens join accounts on accounts.id = account_id
     where email_hash = ${addressHash(ctx.secrets, email)} and kind = 'signup'
       and over_on >= ${todayOf(ctx)}::date`)
  const hashes = Array.from({ length: LINKS_VALID }, (_, n) => links[n]?.hash ?? '')
  const isOf = hashes.map((hash) => codesOf(ctx, hash).includes(code))
  const hash = hashes[isOf.indexOf(true)]
  if (!hash) throw new AuthRefusal('otp_expired')
  return spendLink(ctx, hash, 'signup', knownIds)
}

/** A link's codes, one for each minute when it may expire, because its row doesn't say which it is. */
const codesOf = (ctx: AuthCtx, hash: string) =>
  Array.from({ length: LINK_MINUTES }, (_, n) =>
    codeOf(ctx, hash, endAfter(ctx.now(), 'signup') - n),
  )

const codeOf = ({ secrets }: AuthCtx, hash: string, end: number) =>
  mailCodeOf(secrets.hash('sign-up code', hash, String(end)))

/** The code that a sign-up's email shows next to the link with this token. */
export const codeOfToken = (ctx: AuthCtx, token: string) =>
  codeOf(ctx, hashOf(token), Buffer.from(token, 'base64url').readUInt32BE(RANDOM_BYTES))

const spendLink = (ctx: AuthCtx, hash: string, kind: LinkKind, knownIds: string) =>
  transaction(ctx, async (ctx): Promise<UsedLink> => {
    const link = await deleteLink(ctx, hash, kind)
    const isNewAddress =
      kind === 'email_change'
        ? await adoptNewAddress(ctx, link.accountId)
        : await confirmAddress(ctx, link.accountId)
    if (!isNewAddress || knownIds.split(' ').includes(link.accountId)) return link
    await takeFromOthers(ctx, link.accountId)
    return kind === 'recovery' ? link : { ...link, method: 'recovery', needsPassword: true }
  })

async function deleteLink(ctx: AuthCtx, hash: string, kind: LinkKind): Promise<UsedLink> {
  // If two requests come at once, one finds the rows gone.
  const [link] = await ctx.db.query<UsedLink>(sql`
    with opened as (
      select account_id from one_time_tokens
       where token_hash = ${hash} and kind = ${kind} and over_on >= ${todayOf(ctx)}::date
         and (address_hash is null or address_hash = (
               select new_email_hash from accounts where id = account_id))
    ), used as (
      delete from one_time_tokens link using opened
       where link.account_id = opened.account_id and kind = ${kind}
      returning link.*
    )
    select account_id as "accountId", method, code_challenge as "codeChallenge",
           code_challenge_method as "codeChallengeMethod"
      from used where token_hash = ${hash}`)
  if (!link) throw new AuthRefusal('otp_expired')
  return link
}

/** @returns false if it was confirmed before */
async function confirmAddress(ctx: AuthCtx, accountId: string) {
  const confirmed = await ctx.db.query(sql`
    update accounts set is_email_confirmed = true
     where id = ${accountId} and not is_email_confirmed returning id`)
  if (confirmed.length > 0) await broadcastActorChange(ctx, accountId)
  return confirmed.length > 0
}

/** Shuts out anyone who knows the password, is signed in, or has a second factor. */
async function takeFromOthers(ctx: AuthCtx, accountId: string) {
  await forgetFactors(ctx, accountId)
  await ctx.db.query(sql`update accounts set password_hash = null where id = ${accountId}`)
  await signOutEverywhere(ctx, accountId)
}

/** Switches to the new address and mails the old one. */
async function adoptNewAddress(ctx: AuthCtx, accountId: string) {
  const account = await accountById(ctx, accountId)
  const email = account && newAddressOf(ctx.secrets, account)
  if (!email) throw new AuthRefusal('otp_expired')
  const { hash, sealed } = sealedAddress(ctx.secrets, accountId, email)
  try {
    await transaction(ctx, async (ctx) => {
      const adopted = await ctx.db.query(sql`
        update accounts
           set email_hash = ${hash}, email_sealed = ${sealed},
               new_email_hash = null, new_email_sealed = null, is_email_confirmed = true
         where id = ${accountId} and new_email_hash = ${hash} returning id`)
      if (adopted.length === 0) throw new AuthRefusal('otp_expired')
      await broadcastActorChange(ctx, accountId)
      await enqueueMail(ctx, {
        purpose: 'email_changed',
        email: addressOf(ctx.secrets, account),
      })
    })
    return true
  } catch (error) {
    // Someone else signed up with the address in the meantime.
    if (isUniqueViolation(error)) throw new AuthRefusal('otp_expired')
    throw error
  }
}

export async function sessionOfLink(ctx: AuthCtx, { accountId, method }: UsedLink) {
  const account = await accountById(ctx, accountId)
  if (!account) throw new AuthRefusal('otp_expired')
  return openSession(ctx, account, method)
}

/** A code that only the browser that asked for the link can turn into a session (PKCE). */
export const codeOfLink = async (ctx: AuthCtx, link: UsedLink) =>
  (await insertToken(ctx, { ...link, kind: 'code' })).text

/**
 * The session for a code, once, given the verifier of its challenge.
 * @throws AuthRefusal flow_state_not_found, bad_code_verifier
 */
export async function exchangeCode(ctx: AuthCtx, code: string, verifier: string) {
  if (!isInTime(code, 'code', ctx.now())) throw new AuthRefusal('flow_state_not_found')
  const isKnown = sql`
    token_hash = ${hashOf(code)} and kind = 'code' and over_on >= ${todayOf(ctx)}::date`
  const [used] = await ctx.db.query<UsedLink>(sql`
    delete from one_time_tokens
     where ${isKnown}
       and code_challenge = case code_challenge_method
             when 's256' then ${hashOf(verifier)}::text else ${verifier}::text end
    returning account_id as "accountId", method`)
  if (used) return sessionOfLink(ctx, used)
  const [waiting] = await ctx.db.query(sql`select from one_time_tokens where ${isKnown}`)
  throw new AuthRefusal(waiting ? 'bad_code_verifier' : 'flow_state_not_found')
}

/** D25. */
const LINK_MINUTES = 60
const CODE_MINUTES = 5
const RANDOM_BYTES = 32
const END_BYTES = 4

const minutesOf = (kind: LinkKind | 'code') => (kind === 'code' ? CODE_MINUTES : LINK_MINUTES)

/** Rounded to the minute. */
const endAfter = (now: Date, kind: LinkKind | 'code') =>
  Math.ceil(now.getTime() / 60_000 + minutesOf(kind))

function newLinkToken(kind: LinkKind | 'code', now: Date) {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32BE(endAfter(now, kind))
  return Buffer.concat([randomBytes(RANDOM_BYTES), end]).toString('base64url')
}

/** Tokens that end later than possible came from a clock that was ahead. */
function isInTime(text: string, kind: LinkKind | 'code', now: Date) {
  const bytes = Buffer.from(text, 'base64url')
  // Older tokens have no expiry, so we use the row's day.
  if (bytes.length === RANDOM_BYTES) return true
  if (bytes.length !== RANDOM_BYTES + END_BYTES) return false
  const end = bytes.readUInt32BE(RANDOM_BYTES)
  return end > now.getTime() / 60_000 && end <= endAfter(now, kind)
}

const dayOverAfter = (now: Date) => dayOf(new Date(now.getTime() + DAY_MS))
