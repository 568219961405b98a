/**
 * Sessions from before tokens held all of their state. Such tokens still work for 90 days after the
 * upgrade. After that, this file and its table can go.
 */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import {
  idOf,
  type Proven,
  type RefreshToken,
  SECOND_METHODS,
  signedPart,
} from './refresh-tokens.server.ts'
import type { AccessClaims, SignInMethod } from './tokens.server.ts'

const BEGUN_AT = 20
const PROVED_AT = 24
const SECOND_METHOD = 28
const SECOND_AT = 29
const BODY_BYTES = 33
/** The body's possible lengths: with second factors, before them, and before times. */
const KNOWN_BODIES = [BODY_BYTES, PROVED_AT, BEGUN_AT]
const SECRET_BYTES = 16
const MAC_BYTES = 16

interface FormerToken extends Proven {
  sessionId: string
  number: number
}

export function readFormerToken(secrets: Secrets, text: string): FormerToken | undefined {
  const signed = signedPart(secrets, text, MAC_BYTES)
  const body = signed?.subarray(0, -SECRET_BYTES)
  if (!body || !KNOWN_BODIES.includes(body.length)) return undefined
  return { sessionId: idOf(body.subarray(0, 16)), number: body.readUInt32BE(16), ...provenIn(body) }
}

function provenIn(body: Buffer): Proven {
  const timeAt = (at: number) => (at < body.length ? body.readUInt32BE(at) : 0)
  const begunAt = timeAt(BEGUN_AT)
  if (body.length < BODY_BYTES) return { begunAt, provedAt: begunAt, second: null }
  const method = SECOND_METHODS[body.readUInt8(SECOND_METHOD) - 1]
  return {
    begunAt,
    provedAt: timeAt(PROVED_AT),
    second: method ? { method, at: timeAt(SECOND_AT) } : null,
  }
}

/**
 * Converts a former token. Undefined if its session had ended before the upgrade. Stores nothing:
 * its exchange is remembered like all others.
 * @returns isUsed if it was exchanged before the upgrade
 */
export async function tokenOfFormer(
  db: Database,
  former: FormerToken,
  lastDay: number,
): Promise<(RefreshToken & { isUsed: boolean }) | undefined> {
  const [row] = await db.query<{ accountId: string; method: SignInMethod; counter: number }>(sql`
    select account_id as "accountId", method, counter from former_sessions
     where id = ${former.sessionId} and ends_on >= current_date`)
  if (!row) return undefined
  const { counter, ...session } = row
  return { ...former, ...session, generation: 0, lastDay, isUsed: former.number < counter }
}

/** Access tokens of that time have no generation. They live an hour. */
export const isOfFormerSession = async (
  db: Database,
  { sub, session_id }: Pick<AccessClaims, 'sub' | 'session_id'>,
) =>
  (
    await db.query(
      sql`select from former_sessions where id = ${session_id} and account_id = ${sub}`,
    )
  ).length > 0
