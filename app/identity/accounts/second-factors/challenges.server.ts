import { randomBytes } from 'node:crypto'
import type { SignedIn } from '#app/api/auth/actor.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { isBound } from '#app/platform/database/secrets.server.ts'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'

/**
 * Challenges are not stored: a challenge's id is the sealed challenge itself. Five minutes are
 * enough to find a phone.
 */
const CHALLENGE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32
/** The seal's label: nothing else that the site seals opens here, and this opens nowhere else. */
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

export function newChallenge(
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
export function openChallenge(
  { secrets, now }: Ctx,
  { id: accountId, sessionId }: SignedIn,
  factorId: string,
  text: string,
): Challenge {
  const challenge = opened(secrets, text)
  const isTheirs =
    challenge?.accountId === accountId &&
    challenge.sessionId === sessionId &&
    challenge.factorId === factorId &&
    challenge.endsAt > now().getTime()
  if (!isTheirs) throw new AuthRefusal('mfa_challenge_expired')
  return challenge
}

function opened(secrets: Ctx['secrets'], text: string): Challenge | undefined {
  if (!isBound(text)) return undefined
  try {
    return JSON.parse(secrets.open(text, SEAL_LABEL))
  } catch {
    return undefined
  }
}
