/**
 * Refresh tokens that are never stored. A token holds its session, its number in the chain, when the
 * session began, and a secret; the next one's secret follows from it and the site's key. The
 * session's row keeps the number only, and a mark by which the holder of the former token, and nobody
 * else, can tell when it was exchanged.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../server/secrets.server.ts'

/** Two tabs may present the same token within this time; later it is a stolen one. */
export const REUSE_WINDOW_S = 10

export interface RefreshToken {
  sessionId: string
  /** 0 for the first of a session; equals the row's counter for the one that is valid now. */
  number: number
  /** In seconds; 0 in tokens from before this was in them. */
  begunAt: number
  secret: Buffer
}

const UUID_BYTES = 16
const NUMBER_BYTES = 4
const TIME_BYTES = 4
const SECRET_BYTES = 16
const MAC_BYTES = 16
const LENGTH = UUID_BYTES + NUMBER_BYTES + TIME_BYTES + SECRET_BYTES + MAC_BYTES
const LENGTH_WITHOUT_TIME = LENGTH - TIME_BYTES

/** The first token of a session. */
export const firstToken = (sessionId: string, now: Date): RefreshToken => ({
  sessionId,
  number: 0,
  begunAt: Math.floor(now.getTime() / 1000),
  secret: randomBytes(SECRET_BYTES),
})

/** The token that follows: always the same one, so that two tabs which ask at once both get it. */
export const nextToken = (
  secrets: Secrets,
  { sessionId, number, begunAt, secret }: RefreshToken,
): RefreshToken => ({
  sessionId,
  number: number + 1,
  begunAt,
  secret: Buffer.from(
    secrets.hash('next refresh token', sessionId, String(number + 1), secret.toString('hex')),
    'base64url',
  ).subarray(0, SECRET_BYTES),
})

/** As it is given to the browser. */
export function writeToken(secrets: Secrets, token: RefreshToken): string {
  const body = Buffer.alloc(UUID_BYTES + NUMBER_BYTES + TIME_BYTES)
  body.write(token.sessionId.replaceAll('-', ''), 'hex')
  body.writeUInt32BE(token.number, UUID_BYTES)
  body.writeUInt32BE(token.begunAt, UUID_BYTES + NUMBER_BYTES)
  const signed = Buffer.concat([body, token.secret])
  return Buffer.concat([signed, macOf(secrets, signed)]).toString('base64url')
}

/** The token that `text` is, or undefined for one that this site never gave. */
export function readToken(secrets: Secrets, text: string): RefreshToken | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // The second test: letters that base64url ignores must not make a second text of one token.
  if (bytes.toString('base64url') !== text) return undefined
  if (bytes.length !== LENGTH && bytes.length !== LENGTH_WITHOUT_TIME) return undefined
  const signed = bytes.subarray(0, -MAC_BYTES)
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secrets, signed))) return undefined
  const hex = bytes.toString('hex', 0, UUID_BYTES)
  return {
    sessionId: hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    number: bytes.readUInt32BE(UUID_BYTES),
    begunAt: bytes.length === LENGTH ? bytes.readUInt32BE(UUID_BYTES + NUMBER_BYTES) : 0,
    secret: Buffer.from(signed.subarray(-SECRET_BYTES)),
  }
}

/** What a session's row keeps of the moment at which `token` was exchanged. */
export const rotationMark = (token: RefreshToken, at: Date) =>
  markAt(token, Math.floor(at.getTime() / 1000))

/** Whether `token` was exchanged, with this mark, no longer than 10 s ago. */
export function wasJustRotated(token: RefreshToken, mark: string | undefined, now: Date): boolean {
  const second = Math.floor(now.getTime() / 1000)
  for (let age = 0; age <= REUSE_WINDOW_S; age++)
    if (markAt(token, second - age) === mark) return true
  return false
}

const markAt = ({ secret }: RefreshToken, second: number) =>
  createHmac('sha256', secret).update(`rotated at ${second}`).digest('base64url')

const macOf = (secrets: Secrets, bytes: Buffer) =>
  Buffer.from(secrets.hash('refresh token', bytes.toString('hex')), 'base64url').subarray(
    0,
    MAC_BYTES,
  )
