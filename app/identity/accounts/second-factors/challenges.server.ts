/** Challenges of second factors. None is stored: its id is the challenge itself, sealed. */
import { randomBytes } from 'node:crypto'
import type { SignedIn } from '#app/api/auth/actor.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { isBound } from '#app/platform/database/secrets.server.ts'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'

/** The usual time to find a phone. */
const CHALLENGE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32
/** Nothing else that the site seals opens here, and this opens nowhere else. */
const PLACE = 'challenge of a second factor'

interface Challenge {
  factorId: string
  accountId: string
  sessionId: string
  /** In milliseconds. */
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
  const id = secrets.seal(JSON.stringify(challenge), PLACE)
  return { id, random, expiresAt: Math.floor(challenge.endsAt / 1000) }
}

/**
 * What this session was asked for this factor. Whoever answers it gets another session, so it is good once.
 * @throws AuthRefusal mfa_challenge_expired also for what is none, or was asked of somebody else
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
    return JSON.parse(secrets.open(text, PLACE))
  } catch {
    return undefined
  }
}
