import sql from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import type { MailSite } from '#app/platform/mail/mail-layout.server.ts'
import type { SignUpRule } from '#app/platform/operations/live-settings.ts'
import { isUuid } from '#app/platform/uuid.ts'
import { type Actor, type Role, type SignedIn, visitor } from './actor.ts'
import { addressHash } from './addresses.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from './author-keys.server.ts'
import type { RefreshTokenExchanges } from './refresh-token-exchanges.server.ts'
import { type Authentication, SECOND_METHODS, type SecondMethod } from './refresh-tokens.server.ts'
import type { RememberedActors } from './remembered-actors.server.ts'
import { endedAmong, generationNow, type Marks, marksOf } from './session-marks.server.ts'
import type { AccessClaims, SignInMethod, Tokens } from './tokens.server.ts'

/**
 * How long sessions of administrators and moderators last, because they could harm everyone. Using a
 * session doesn't extend it.
 */
const ADMIN_SESSION_S = 12 * 3_600

export interface Sources {
  db: Database
  secrets: Secrets
  tokens: Tokens
  now: () => Date
  /** The account with this address is the owner's once it's an administrator. S2. */
  ownerEmail?: string
  adminSecondFactor: AdminSecondFactor
  /** Learns which tokens were used. */
  exchanges?: Pick<RefreshTokenExchanges, 'use'>
  /** Without this cache, each request reads the database. */
  remembered?: Pick<RememberedActors, 'actorOf'>
}

export interface RequestIdentity {
  authorization?: string
  /** `X-Anonymous-Id` of a visitor's browser. */
  anonymousId?: string
  network: string
  /** The request changes nothing. */
  isReading?: boolean
}

/** Everyone gets the same answer, because nothing says who sent the request. */
export const isAnonymousRead = ({ authorization, anonymousId, isReading }: RequestIdentity) =>
  isReading === true && authorization === undefined && anonymousId === undefined

/**
 * The sender of a request. A visitor without a token.
 * @throws Refusal sign-in-required if the token is invalid or its session has ended
 */
export async function actorOf(
  sources: Sources,
  { authorization, anonymousId }: Omit<RequestIdentity, 'network'>,
): Promise<Actor> {
  const asVisitor = {
    ...visitor,
    authorKey: authorKeyOfVisitor(sources.secrets, anonymousId) ?? null,
  }
  if (authorization === undefined) return asVisitor
  const claims = claimsOf(sources.tokens, authorization)
  const find = async () => claims && signedInActor(sources, claims)
  const { remembered } = sources
  const actor = claims && (await (remembered ? remembered.actorOf(claims, find) : find()))
  if (!actor) throw new Refusal('sign-in-required', 'Your session has ended. Please log in again.')
  noteUse(sources, claims)
  return actor.secondFactor === 'awaited' ? { ...asVisitor, secondFactor: 'awaited' } : actor
}

/** A bearer token's claims, if it's ours and valid. */
export function claimsOf(
  tokens: Tokens,
  authorization: string | undefined,
): AccessClaims | undefined {
  const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : tokens.verify(token)
}

/** `Tokens.verify` caches claims, so once per token is enough. */
const used = new WeakSet<AccessClaims>()

export function noteUse(
  { exchanges, now }: Pick<Sources, 'exchanges' | 'now'>,
  claims: AccessClaims,
) {
  const { session_id: sessionId, session_number: number } = claims
  if (number === undefined || used.has(claims)) return
  used.add(claims)
  exchanges?.use({ sessionId, number }, now())
}

interface ActorRow {
  username: string | null
  isEmailConfirmed: boolean
  userType: string | null
  memberSince: string
  emailHash: string
  emailSealed: string
  newEmailSealed: string | null
  rootSealed: string
  isAdmin: boolean
  isModerator: boolean
  isEmployer: boolean
  hasSecondFactor: boolean
  ended: string[]
}

/**
 * Undefined if the session has ended or the account is suspended. A visitor while the account's
 * second step is still due.
 */
export async function signedInActor(sources: Sources, claims: AccessClaims) {
  const person = await personBehind(sources, claims)
  return person?.isTooOld ? undefined : person?.actor
}

/** Someone with a live session, no matter what it allows. */
export interface Person {
  actor: Actor
  account: SignedIn
  authentication: Authentication
  method: SignInMethod
  /**
   * A session of an administrator or moderator that began too long ago. It allows nothing, and ends
   * at the next refresh.
   */
  isTooOld: boolean
}

/**
 * The person a token belongs to. Only sign-in uses this directly, because it needs the account before
 * the second step. Others use `signedInActor`.
 */
export async function personBehind(
  { db, secrets, ownerEmail, adminSecondFactor, now }: Sources,
  claims: AccessClaims,
): Promise<Person | undefined> {
  const { sub: id, session_id: sessionId } = claims
  if (!isUuid(id) || !isUuid(sessionId)) return undefined
  const authorKey = authorKeyOfAccount(secrets, id)
  const marks = marksOfClaims(secrets, claims)
  const [row] = await db.query<ActorRow>(
    sql`
    select profile.username, account.is_email_confirmed as "isEmailConfirmed",
           account.user_metadata ->> 'user_type' as "userType",
           to_char(account.made_in_month, 'YYYY-MM') as "memberSince",
           account.email_hash as "emailHash", account.email_sealed as "emailSealed",
           account.new_email_sealed as "newEmailSealed", account.root_sealed as "rootSealed",
           exists (select from admin_users where id = account.id) as "isAdmin",
           exists (select from moderators where id = account.id) as "isModerator",
           exists (select from employer_claims
                    where account_id = account.id and status = 'approved') as "isEmployer",
           exists (select from second_factors
                    where account_id = account.id and is_verified) as "hasSecondFactor",
           ${endedAmong(marks)}
      from accounts account
      left join profiles profile on profile.account_id = account.id
     where account.id = ${id} and not account.is_suspended`,
    PREPARED,
  )
  const generationThen = claims.session_generation
  if (!row || generationThen === undefined) return undefined
  const { ended, ...known } = row
  const claim = { accountId: id, sessionId, generation: generationThen }
  const generation = await generationNow({ db, secrets }, claim, { marks, ended })
  if (generation === undefined) return undefined
  const isOwner = ownerEmail !== undefined && row.emailHash === addressHash(secrets, ownerEmail)
  const authentication = authenticationIn(claims)
  const method = firstMethodIn(claims)
  const session = { sessionId, generation, isRecovering: method === 'recovery' }
  const authenticatedAt = latestAuthentication(claims)
  const account = { id, ...session, hasOwnersAddress: isOwner, authenticatedAt, ...known }
  const hasDuty = row.isAdmin || row.isModerator
  const isTooOld = hasDuty && isTooOldForAdmins(authentication, now())
  if (row.hasSecondFactor && !authentication.second)
    return {
      actor: { ...visitor, secondFactor: 'awaited' },
      account,
      authentication,
      method,
      isTooOld,
    }
  const lacksFactor = hasDuty && adminSecondFactor === 'required' && !row.hasSecondFactor
  const actor: Actor = {
    role: roleOf(lacksFactor ? { ...row, isAdmin: false, isModerator: false } : row, isOwner),
    userType: row.userType === 'employer' ? 'employer' : null,
    account,
    authorKey,
    ...(lacksFactor && { secondFactor: 'needed' }),
  }
  return { actor, account, authentication, method, isTooOld }
}

/** Also true for sessions so old that we don't know when they began. */
export const isTooOldForAdmins = ({ begunAt }: Authentication, now: Date) =>
  now.getTime() / 1000 - begunAt >= ADMIN_SESSION_S

const isSecond = (method: string): method is SecondMethod =>
  (SECOND_METHODS as readonly string[]).includes(method)

function authenticationIn({ amr = [], session_began }: AccessClaims): Authentication {
  const first = amr.find(({ method }) => !isSecond(method))?.timestamp ?? 0
  const second = amr.flatMap(({ method, timestamp: at }) =>
    isSecond(method) ? { method, at } : [],
  )
  return { begunAt: session_began ?? first, authenticatedAt: first, second: second[0] ?? null }
}

const latestAuthentication = ({ amr = [] }: AccessClaims) =>
  Math.max(0, ...amr.map(({ timestamp }) => timestamp))

function firstMethodIn({ amr = [] }: AccessClaims): SignInMethod {
  const method = amr.find(({ method }) => !isSecond(method))?.method
  return method === 'otp' || method === 'recovery' ? method : 'password'
}

/** `Tokens.verify` caches claims, so hashes aren't computed for each request. */
const marksOfKnown = new WeakMap<AccessClaims, Marks>()

function marksOfClaims(secrets: Secrets, claims: AccessClaims): Marks {
  const known = marksOfKnown.get(claims)
  if (known) return known
  const { sub: accountId, session_id: sessionId, session_generation: generation = 0 } = claims
  const marks = marksOf(secrets, { accountId, sessionId, generation })
  marksOfKnown.set(claims, marks)
  return marks
}

function roleOf({ isAdmin, isModerator, isEmployer }: ActorRow, isOwner: boolean): Role {
  if (isAdmin) return isOwner ? 'owner' : 'admin'
  // No one moderates posts about a company that they act for.
  if (isEmployer) return 'employer'
  return isModerator ? 'moderator' : 'member'
}

/** Whether administrators and the owner only have their rights after a second factor. */
type AdminSecondFactor = 'required' | 'offered'

export interface AuthSettings extends MailSite {
  tokens: Tokens
  exchanges: RefreshTokenExchanges
  /** The same site as a Tor onion service. */
  onionUrl?: string | undefined
  /** Who may sign up. Everyone, if undefined. */
  signUp?: SignUpRule
  /** Signing up also logs in. S23. */
  autoconfirm: boolean
  /** URLs elsewhere that links may lead to, exactly. */
  redirectUrls: readonly string[]
  ownerEmail?: string
  adminSecondFactor: AdminSecondFactor
}
