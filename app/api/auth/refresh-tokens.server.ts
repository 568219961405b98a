/**
 * A refresh token holds its session's whole state, signed by the site: whose session it is, how and
 * when they logged in, the token's number, and its last day. No row stores any of that.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { DAY_MS } from '#app/platform/days.server.ts'
import type { SignInMethod } from './tokens.server.ts'

/** Unused tokens expire after this many days. */
export const SESSION_DAYS = 90

/** Second steps, as access tokens name them. Tokens store the index, so only append. */
export const SECOND_METHODS = ['totp', 'mfa/webauthn', 'mfa/recovery_code'] as const
export type SecondMethod = (typeof SECOND_METHODS)[number]

/** Methods of a session's first step. */
const FIRST_METHODS = ['password', 'otp', 'recovery'] as const satisfies readonly SignInMethod[]

/** What a session proved, and when, in seconds. Only tokens say so. No row does. */
export interface Authentication {
  /** When the person logged in. 0 in older tokens. */
  begunAt: number
  /** When the first factor was last used: the password, or a link in a mail. */
  authenticatedAt: number
  second: { method: SecondMethod; at: number } | null
}

export interface RefreshToken extends Authentication {
  accountId: string
  sessionId: string
  /** The account's generation: see session-marks.server.ts. */
  generation: number
  /** 0 for a session's first token. */
  number: number
  method: SignInMethod
  /** The last valid day, counted from 1970. */
  lastDay: number
}

/** The bytes of the signed part, in order. */
const SIZES = {
  accountId: 16,
  sessionId: 16,
  generation: 4,
  number: 4,
  begunAt: 4,
  authenticatedAt: 4,
  secondAt: 4,
  lastDay: 2,
  method: 1,
  secondMethod: 1,
}
const BODY_BYTES = Object.values(SIZES).reduce((sum, size) => sum + size)
const MAC_BYTES = 16

export function newAuthentication(now: Date): Authentication {
  const at = secondsOf(now)
  return { begunAt: at, authenticatedAt: at, second: null }
}

export const firstToken = (
  session: Pick<RefreshToken, 'accountId' | 'sessionId' | 'generation' | 'method'> & Authentication,
  now: Date,
): RefreshToken => ({ ...session, number: 0, lastDay: lastDayFrom(now) })

/** The session's token with this number. Two tabs that ask together get the same one, except for the day. */
export const laterToken = (
  token: RefreshToken,
  { number, generation }: Pick<RefreshToken, 'number' | 'generation'>,
  now: Date,
): RefreshToken => ({ ...token, number, generation, lastDay: lastDayFrom(now) })

export const isOver = ({ lastDay }: RefreshToken, now: Date) => lastDay < dayNumber(now)

export function writeToken(secrets: Secrets, token: RefreshToken): string {
  const { second } = token
  const body = Buffer.alloc(BODY_BYTES)
  let at = 0
  const write = (size: number, value: number) => {
    at = body.writeUIntBE(value, at, size)
  }
  for (const id of [token.accountId, token.sessionId]) at += body.write(plainId(id), at, 'hex')
  write(SIZES.generation, token.generation)
  write(SIZES.number, token.number)
  write(SIZES.begunAt, token.begunAt)
  write(SIZES.authenticatedAt, token.authenticatedAt)
  write(SIZES.secondAt, second?.at ?? 0)
  write(SIZES.lastDay, token.lastDay)
  write(SIZES.method, FIRST_METHODS.indexOf(token.method))
  // 0 for none.
  write(SIZES.secondMethod, second ? SECOND_METHODS.indexOf(second.method) + 1 : 0)
  return Buffer.concat([body, macOf(secrets, body)]).toString('base64url')
}

/** Undefined for a token that this site didn't issue. */
export function readToken(secrets: Secrets, text: string): RefreshToken | undefined {
  const body = signedPart(secrets, text)
  if (body?.length !== BODY_BYTES) return undefined
  let at = 0
  const read = (size: number) => {
    at += size
    return body.readUIntBE(at - size, size)
  }
  const readId = () => {
    at += SIZES.accountId
    return idOf(body.subarray(at - SIZES.accountId, at))
  }
  const ids = { accountId: readId(), sessionId: readId() }
  const counts = { generation: read(SIZES.generation), number: read(SIZES.number) }
  const times = { begunAt: read(SIZES.begunAt), authenticatedAt: read(SIZES.authenticatedAt) }
  const secondAt = read(SIZES.secondAt)
  const lastDay = read(SIZES.lastDay)
  const method = FIRST_METHODS[read(SIZES.method)]
  const second = SECOND_METHODS[read(SIZES.secondMethod) - 1]
  if (!method) return undefined
  return {
    ...ids,
    ...counts,
    ...times,
    method,
    lastDay,
    second: second ? { method: second, at: secondAt } : null,
  }
}

/** The signed part, if the signature is ours and the text is in canonical form. */
function signedPart(secrets: Secrets, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Otherwise, characters that base64url ignores would give a token a second spelling.
  if (bytes.toString('base64url') !== text || bytes.length <= MAC_BYTES) return undefined
  const signed = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secrets, signed)) ? signed : undefined
}

const idOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const plainId = (id: string) => id.replaceAll('-', '')

export const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)
/** Counted from 1970. */
export const dayNumber = (moment: Date) => Math.floor(moment.getTime() / DAY_MS)
const lastDayFrom = (now: Date) => dayNumber(now) + SESSION_DAYS

const macOf = (secrets: Secrets, bytes: Buffer) =>
  Buffer.from(secrets.hash('refresh token', bytes.toString('hex')), 'base64url').subarray(
    0,
    MAC_BYTES,
  )
