/** Finds out who is asking: the token says it, the session's row must still be there. */
import sql from 'sql-template-tag'
import type { Database } from '../server/database.server.ts'
import { dayOf } from '../server/days.server.ts'
import { Refusal } from '../server/refusal.ts'
import type { Secrets } from '../server/secrets.server.ts'
import { type Actor, type Role, visitor } from './actor.ts'
import { addressHash } from './addresses.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from './author-keys.server.ts'
import type { AccessClaims, Tokens } from './tokens.server.ts'

export interface Sources {
  db: Database
  secrets: Secrets
  tokens: Tokens
  now: () => Date
  /** The one account that is the owner, once it is an administrator. Decision 2. */
  ownerEmail?: string
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
  if (authorization === undefined)
    return { ...visitor, authorKey: authorKeyOfVisitor(sources.secrets, anonymousId) ?? null }
  const claims = claimsOf(sources.tokens, authorization)
  const actor = claims && (await signedInActor(sources, claims))
  if (!actor) throw new Refusal('sign-in-required', 'Your session has ended. Please sign in again.')
  return actor
}

/** What a bearer token says, if it is one of ours and still valid. */
export function claimsOf(
  tokens: Tokens,
  authorization: string | undefined,
): AccessClaims | undefined {
  const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : tokens.verify(token)
}

interface ActorRow {
  username: string | null
  isEmailConfirmed: boolean
  userType: string | null
  memberSince: string
  cred: number
  emailHash: string
  emailSealed: string
  newEmailSealed: string | null
  isAdmin: boolean
  isEmployer: boolean
}

/** The person behind these claims; undefined when the session was ended or the account suspended. */
export async function signedInActor(
  { db, secrets, ownerEmail, now }: Sources,
  claims: AccessClaims,
): Promise<Actor | undefined> {
  const { sub: id, session_id: sessionId } = claims
  if (!isUuid(id) || !isUuid(sessionId)) return undefined
  const authorKey = authorKeyOfAccount(secrets, id)
  const [row] = await db.query<ActorRow>(
    sql`
    select profile.username, account.is_email_confirmed as "isEmailConfirmed",
           account.user_metadata ->> 'user_type' as "userType",
           to_char(account.made_in_month, 'YYYY-MM') as "memberSince",
           account.email_hash as "emailHash", account.email_sealed as "emailSealed",
           account.new_email_sealed as "newEmailSealed",
           coalesce((select cred from author_cred where author_key = ${authorKey}), 0) as cred,
           exists (select from admin_users where id = account.id) as "isAdmin",
           exists (select from employer_claims
                    where account_id = account.id and status = 'approved') as "isEmployer"
      from sessions session
      join accounts account on account.id = session.account_id
      left join profiles profile on profile.account_id = account.id
     where session.id = ${sessionId} and account.id = ${id} and not account.is_suspended
       and session.expires_on >= ${dayOf(now())}::date`,
    { name: 'actor' },
  )
  if (!row) return undefined
  const isOwner = ownerEmail !== undefined && row.emailHash === addressHash(secrets, ownerEmail)
  return {
    role: roleOf(row, isOwner),
    userType: row.userType === 'employer' ? 'employer' : null,
    account: { id, sessionId, hasOwnersAddress: isOwner, ...proofIn(claims), ...row },
    authorKey,
  }
}

const proofIn = ({ amr = [] }: AccessClaims) => ({
  provedAt: Math.max(0, ...amr.map(({ timestamp }) => timestamp)),
  isRecovering: amr.some(({ method }) => method === 'recovery'),
})

function roleOf({ isAdmin, isEmployer }: ActorRow, isOwner: boolean): Role {
  if (isAdmin) return isOwner ? 'owner' : 'admin'
  return isEmployer ? 'employer' : 'member'
}

const isUuid = (text: unknown) =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
