import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { renderSVG } from 'uqr'
import type { Person } from '#app/api/auth/actor.server.ts'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import { lockAccount } from '../auth-server/account-admin-commands.server.ts'
import { enqueueMail } from '../auth-server/account-mail.server.ts'
import { type AuthCtx, requireReauthentication } from '../auth-server/auth-context.server.ts'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'
import { endSessions, renewSession } from '../auth-server/session-commands.server.ts'
import {
  type Factor,
  type FactorKind,
  factorsOf,
  insertFactor,
  markVerified,
} from './factor-rows.server.ts'
import {
  createdPasskey,
  creationOptions,
  isAnswerOf,
  type RelyingParty,
  requestOptions,
} from './passkeys.server.ts'

const FACTORS_MAX = 10

interface FactorCtx extends AuthCtx {
  markFirst: SharedCounts['markFirst']
}

/**
 * Replaces a factor that was never verified. The new one counts once it's verified.
 * @throws AuthRefusal email_not_confirmed, too_many_enrolled_mfa_factors, mfa_factor_name_conflict
 */
export async function enrollFactor(
  ctx: AuthCtx,
  { account }: Person,
  { kind, name, issuer }: { kind: FactorKind; name: string; issuer: string | undefined },
) {
  // Until the address is confirmed, its owner may still have to get this account back.
  if (!account.isEmailConfirmed)
    throw new AuthRefusal('email_not_confirmed', 'Please confirm your email first.')
  const secret = kind === 'totp' ? newSecret() : undefined
  const id = await transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const verified = (await factorsOf(ctx, account.id)).filter(({ isVerified }) => isVerified)
    if (verified.length >= FACTORS_MAX) throw new AuthRefusal('too_many_enrolled_mfa_factors')
    if (name !== '' && verified.some((factor) => factor.name === name))
      throw new AuthRefusal('mfa_factor_name_conflict')
    return insertFactor(ctx, account.id, kind, { name, ...(secret && { secret }) })
  })
  const labels = {
    issuer: issuer || ctx.auth.siteName,
    label: addressOf(ctx.secrets, account),
  }
  return {
    id,
    type: kind,
    friendly_name: name,
    ...(secret && { totp: invitation(secret, labels) }),
  }
}

/**
 * The person's own factor.
 * @throws AuthRefusal mfa_factor_not_found, insufficient_aal
 */
async function requireFactor(ctx: AuthCtx, { actor, account }: Person, id: string) {
  const factors = await factorsOf(ctx, account.id)
  const factor = factors.find((factor) => factor.id === id)
  if (!factor) throw new AuthRefusal('mfa_factor_not_found')
  // Otherwise, anyone with the password could take the second step with a factor of their own.
  if (!factor.isVerified && actor.secondFactor === 'awaited')
    throw new AuthRefusal('insufficient_aal')
  return { factor, factors }
}

/** @param relyingParty called for passkeys only */
export async function challengeFactor(
  ctx: AuthCtx,
  person: Person,
  id: string,
  relyingParty: () => RelyingParty,
) {
  const { account } = person
  const { factor, factors } = await requireFactor(ctx, person, id)
  if (!factor.isVerified) requireReauthentication(ctx, account)
  const challenge = newChallenge(ctx, account, id)
  const answer = { id: challenge.id, type: factor.kind, expires_at: challenge.expiresAt }
  if (factor.kind === 'totp') return answer
  if (factor.passkey) {
    const publicKey = await requestOptions(relyingParty(), challenge.random, factor.passkey)
    return { ...answer, webauthn: { type: 'request', credential_options: { publicKey } } }
  }
  const publicKey = await creationOptions(relyingParty(), {
    challenge: challenge.random,
    siteName: ctx.auth.siteName,
    person: {
      handle: Buffer.from(ctx.secrets.hash('passkey holder', account.id), 'base64url'),
      name: addressOf(ctx.secrets, account),
    },
    known: factors.flatMap(({ passkey }) => passkey ?? []),
  })
  return { ...answer, webauthn: { type: 'create', credential_options: { publicKey } } }
}

export type FactorAnswer =
  | { code: string }
  | { type: 'create' | 'request'; relyingParty: RelyingParty; response: unknown }

/**
 * Takes the second step: replaces the session. The first time, it makes the factor count and ends
 * the account's other sessions.
 * @throws AuthRefusal mfa_challenge_expired, mfa_verification_failed, session_not_found
 */
export async function verifyFactor(
  ctx: FactorCtx,
  person: Person,
  id: string,
  { challengeId, answer }: { challengeId: string; answer: FactorAnswer },
) {
  const { account } = person
  const { factor } = await requireFactor(ctx, person, id)
  const challenge = openChallenge(ctx, account, id, challengeId)
  const proved = await verifiedFactor(ctx, factor, challenge.random, answer)
  const by = factor.kind === 'totp' ? 'totp' : 'mfa/webauthn'
  // Replacing the session uses up the challenge. If two requests come at once, one finds it ended. We
  // don't lock the account here, because that would date each sign-in in its row. Removing the factor
  // meanwhile also ends this session's generation.
  if (factor.isVerified) return renewSession(ctx, person, by)
  return transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    if (!(await markVerified(ctx, account.id, proved)))
      throw new AuthRefusal('mfa_factor_not_found')
    await endOthers(ctx, person)
    await enqueueMail(ctx, {
      purpose: 'factor_added',
      email: addressOf(ctx.secrets, account),
    })
    const renewed = { ...account, generation: account.generation + 1 }
    return renewSession(ctx, { ...person, account: renewed }, by)
  })
}

/** A changed factor ends other sessions, as a new password does, because one of them may be someone else's. */
const endOthers = (ctx: AuthCtx, { account }: Person) => endSessions(ctx, account, 'others')

/**
 * The verified factor, including the passkey if this just created one.
 * @throws AuthRefusal mfa_verification_failed
 */
async function verifiedFactor(
  ctx: FactorCtx,
  factor: Factor,
  challenge: string,
  answer: FactorAnswer,
): Promise<Factor> {
  if (factor.kind === 'totp') {
    if (!('code' in answer)) throw new AuthRefusal('validation_failed', 'A code is missing')
    const step = stepOf(factor.secret ?? '', answer.code, ctx.now())
    const isFirst =
      step !== undefined && (await ctx.markFirst(`code ${factor.id} ${step}`, STEP_MS))
    if (!isFirst) throw new AuthRefusal('mfa_verification_failed')
    return factor
  }
  if ('code' in answer)
    throw new AuthRefusal('validation_failed', 'The passkey response is missing')
  const { relyingParty, response, type } = answer
  if (factor.passkey) {
    const isVerified =
      type === 'request' && (await isAnswerOf(relyingParty, challenge, factor.passkey, response))
    if (!isVerified) throw notThisPasskey()
    return factor
  }
  const passkey = type === 'create' && (await createdPasskey(relyingParty, challenge, response))
  if (!passkey) throw notThisPasskey()
  return { ...factor, passkey }
}

const notThisPasskey = () =>
  new AuthRefusal('mfa_verification_failed', 'This passkey couldn’t be verified')

/**
 * Removing the last factor also removes the recovery codes. Ends other sessions.
 * @throws AuthRefusal mfa_factor_not_found
 */
export async function removeFactor(ctx: AuthCtx, person: Person, id: string) {
  const { account } = person
  const { factor } = await requireFactor(ctx, person, id)
  if (factor.isVerified) requireReauthentication(ctx, account)
  await transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const [removed] = await ctx.db.query<{ isVerified: boolean }>(sql`
      delete from second_factors where id = ${id} and account_id = ${account.id}
      returning is_verified as "isVerified"`)
    if (!removed) throw new AuthRefusal('mfa_factor_not_found')
    await broadcastActorChange(ctx, account.id)
    if (!removed.isVerified) return
    // The factor may have been verified between the check above and the lock.
    requireReauthentication(ctx, account)
    await ctx.db.query(sql`
      delete from recovery_codes where account_id = ${account.id} and not exists (
        select from second_factors where account_id = ${account.id} and is_verified)`)
    await endOthers(ctx, person)
    await enqueueMail(ctx, {
      purpose: 'factor_removed',
      email: addressOf(ctx.secrets, account),
    })
  })
  return { id }
}

/** Authenticator app codes (RFC 6238). */
const SECRET_BYTES = 20
const PERIOD_S = 30
/** How many steps before and after also count, because clocks differ and typing takes time. */
const WINDOW = 1
/** We remember used codes as long as they're valid, plus one step. */
const STEP_MS = (2 * WINDOW + 2) * PERIOD_S * 1000

const appOf = (secret: string, labels: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...labels, secret: Secret.fromBase32(secret), period: PERIOD_S })

const newSecret = () => new Secret({ size: SECRET_BYTES }).base32

function invitation(secret: string, labels: { issuer: string; label: string }) {
  const uri = appOf(secret, labels).toString()
  return { qr_code: renderSVG(uri), secret, uri }
}

/** The step of `code`. Undefined if it isn't valid now. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const app = appOf(secret)
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = app.validate({ token, timestamp, window: WINDOW })
  return delta === null ? undefined : app.counter({ timestamp }) + delta
}

/**
 * We don't store challenges. A challenge's id is the sealed challenge itself. Five minutes are enough
 * to find a phone.
 */
const CHALLENGE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32
/** The seal's label. Nothing else that the site seals opens here, and this opens nowhere else. */
const SEAL_LABEL = 'challenge of a second factor'

interface Challenge {
  factorId: string
  accountId: string
  sessionId: string
  endsAt: number
  /** What a passkey signs, in base64url. */
  random: string
}

type Ctx = Pick<ServerContext, 'secrets' | 'now'>

function newChallenge(
  { secrets, now }: Ctx,
  { id: accountId, sessionId }: SignedIn,
  factorId: string,
) {
  const random = randomBytes(CHALLENGE_BYTES)
  const challenge: Challenge = {
    factorId,
    accountId,
    sessionId,
    endsAt: now().getTime() + CHALLENGE_MS,
    random: random.toString('base64url'),
  }
  const id = secrets.seal(JSON.stringify(challenge), SEAL_LABEL)
  return { id, random, expiresAt: Math.floor(challenge.endsAt / 1000) }
}

/**
 * Opens this session's challenge for this factor. Answering it replaces the session, so it works once.
 * @throws AuthRefusal mfa_challenge_expired also for garbage, and for another account's
 */
function openChallenge(
  { secrets, now }: Ctx,
  { id: accountId, sessionId }: SignedIn,
  factorId: string,
  text: string,
): Challenge {
  const challenge = openToken(secrets, text, SEAL_LABEL) as Challenge | undefined
  const isTheirs =
    challenge?.accountId === accountId &&
    challenge.sessionId === sessionId &&
    challenge.factorId === factorId &&
    challenge.endsAt > now().getTime()
  if (!isTheirs) throw new AuthRefusal('mfa_challenge_expired')
  return challenge
}
