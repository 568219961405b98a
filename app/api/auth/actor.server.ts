/** Finds out who is asking: the token says it, and the session must not have ended. */
import sql from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { type Actor, type Role, type SignedIn, visitor } from './actor.ts'
import { addressHash } from './addresses.server.ts'
import type { AdminSecondFactor } from './auth-settings.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from './author-keys.server.ts'
import { isOfFormerSession } from './former-sessions.server.ts'
import type { RefreshTokenExchanges } from './refresh-token-exchanges.server.ts'
import { type Proven, SECOND_METHODS, type SecondMethod } from './refresh-tokens.server.ts'
import type { RememberedActors } from './remembered-actors.server.ts'
import { endedAmong, generationNow, type Marks, marksOf } from './session-marks.server.ts'
import type { AccessClaims, SignInMethod, Tokens } from './tokens.server.ts'

/** Of those who could harm everybody, however it is used. */
const ADMIN_SESSION_S = 12 * 3_600

export interface Sources {
  db: Database
  secrets: Secrets
  tokens: Tokens
  now: () => Date
  /** The one account that is the owner, once it is an administrator. S2. */
  ownerEmail?: string
  adminSecondFactor: AdminSecondFactor
  /** Hears which tokens somebody came with. */
  exchanges?: Pick<RefreshTokenExchanges, 'use'>
  /** Where it is not there, each request asks anew. */
  remembered?: Pick<RememberedActors, 'actorOf'>
}

/** What a request says about who sends it. */
export interface Credentials {
  /** `Authorization: Bearer …` of whoever is signed in. */
  authorization?: string
  /** `X-Anonymous-Id` of a visitor's browser. */
  anonymousId?: string
  network: string
  /** It asks, and changes nothing. */
  isReading?: boolean
}

/** What is answered is the same for everybody: nobody says who they are. */
export const isForEverybody = ({ authorization, anonymousId, isReading }: Credentials) =>
  isReading === true && authorization === undefined && anonymousId === undefined

/**
 * Who sends a request; a visitor without a token.
 * @throws Refusal sign-in-required when the token is no good or its session has ended.
 */
export async function actorOf(
  sources: Sources,
  { authorization, anonymousId }: Omit<Credentials, 'network'>,
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

/** What a bearer token says, if it is one of ours and still valid. */
export function claimsOf(
  tokens: Tokens,
  authorization: string | undefined,
): AccessClaims | undefined {
  const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : tokens.verify(token)
}

/** Of claims that `Tokens.verify` remembers: once is enough. */
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
 * Who the person behind these claims is to the site; undefined when the session has ended or the account is
 * suspended. Before the second step of an account that has one, that is a visitor.
 */
export async function signedInActor(sources: Sources, claims: AccessClaims) {
  const person = await personBehind(sources, claims)
  return person?.isTooOld ? undefined : person?.actor
}

/** Somebody with a session that has not ended, whatever it may do. */
export interface Person {
  /** All rights of this moment hang on it. */
  actor: Actor
  account: SignedIn
  proven: Proven
  /** How the session came about. */
  method: SignInMethod
  /** Of who helps to run the site, begun too long ago: it may do nothing, and ends when it is refreshed. */
  isTooOld: boolean
}

/** For signing in itself, where somebody has an account before the second step; all others ask `signedInActor`. */
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
  if (!row) return undefined
  if (claims.session_generation === undefined && !(await isOfFormerSession(db, claims)))
    return undefined
  const { ended, ...known } = row
  const claim = { accountId: id, sessionId, generation: claims.session_generation ?? 0 }
  const generation = await generationNow({ db, secrets }, claim, { marks, ended })
  if (generation === undefined) return undefined
  const isOwner = ownerEmail !== undefined && row.emailHash === addressHash(secrets, ownerEmail)
  const proven = provenIn(claims)
  const method = firstMethodIn(claims)
  const session = { sessionId, generation, isRecovering: method === 'recovery' }
  const provedAt = latestProof(claims)
  const account = { id, ...session, hasOwnersAddress: isOwner, provedAt, ...known }
  const hasDuty = row.isAdmin || row.isModerator
  const isTooOld = hasDuty && isTooOldForAdmins(proven, now())
  if (row.hasSecondFactor && !proven.second)
    return { actor: { ...visitor, secondFactor: 'awaited' }, account, proven, method, isTooOld }
  const lacksFactor = hasDuty && adminSecondFactor === 'required' && !row.hasSecondFactor
  const actor: Actor = {
    role: roleOf(lacksFactor ? { ...row, isAdmin: false, isModerator: false } : row, isOwner),
    userType: row.userType === 'employer' ? 'employer' : null,
    account,
    authorKey,
    ...(lacksFactor && { secondFactor: 'needed' }),
  }
  return { actor, account, proven, method, isTooOld }
}

/** A session from before its beginning was known is too old, too. */
export const isTooOldForAdmins = ({ begunAt }: Proven, now: Date) =>
  now.getTime() / 1000 - begunAt >= ADMIN_SESSION_S

const isSecond = (method: string): method is SecondMethod =>
  (SECOND_METHODS as readonly string[]).includes(method)

function provenIn({ amr = [], session_began }: AccessClaims): Proven {
  const first = amr.find(({ method }) => !isSecond(method))?.timestamp ?? 0
  const second = amr.flatMap(({ method, timestamp: at }) =>
    isSecond(method) ? { method, at } : [],
  )
  return { begunAt: session_began ?? first, provedAt: first, second: second[0] ?? null }
}

const latestProof = ({ amr = [] }: AccessClaims) =>
  Math.max(0, ...amr.map(({ timestamp }) => timestamp))

function firstMethodIn({ amr = [] }: AccessClaims): SignInMethod {
  const method = amr.find(({ method }) => !isSecond(method))?.method
  return method === 'otp' || method === 'recovery' ? method : 'password'
}

/** Of claims that `Tokens.verify` remembers, so that hashes are not computed again at each request. */
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
  // Nobody decides about what is said of a company that they act for.
  if (isEmployer) return 'employer'
  return isModerator ? 'moderator' : 'member'
}

const isUuid = (text: unknown) =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
