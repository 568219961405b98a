/**
 * Refresh tokens. A token holds all that is known of its session: whose it is, how and when they signed in,
 * its number in the chain, and its last day, under a signature of the site. No row says any of that.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { DAY_MS } from '#app/platform/jobs/days.server.ts'
import type { SignInMethod } from './tokens.server.ts'

/** A token that nobody comes back with ends after so many days. */
export const SESSION_DAYS = 90

/** How a second step was taken, as access tokens name it. Tokens hold its place here: only add at the end. */
export const SECOND_METHODS = ['totp', 'mfa/webauthn', 'mfa/recovery_code'] as const
export type SecondMethod = (typeof SECOND_METHODS)[number]

/** The same of the first step. */
const FIRST_METHODS = ['password', 'otp', 'recovery'] as const satisfies readonly SignInMethod[]

/** What was proved in a session, and when, in seconds: its tokens say so, and no row does. */
export interface Proven {
  /** When the person signed in; 0 in tokens from before this was in them. */
  begunAt: number
  /** When the first factor was last proved: the password, or a link of a mail. */
  provedAt: number
  /** The second step, once it was taken. */
  second: { method: SecondMethod; at: number } | null
}

export interface RefreshToken extends Proven {
  accountId: string
  sessionId: string
  /** Of the account's sessions: see session-marks.server.ts. */
  generation: number
  /** 0 for the first of a session. */
  number: number
  /** How the session came about. */
  method: SignInMethod
  /** The last day on which it is good, counted from 1970. */
  lastDay: number
}

/** Of the signed part: its bytes, in this order. */
const SIZES = {
  accountId: 16,
  sessionId: 16,
  generation: 4,
  number: 4,
  begunAt: 4,
  provedAt: 4,
  secondAt: 4,
  lastDay: 2,
  method: 1,
  secondMethod: 1,
}
const BODY_BYTES = Object.values(SIZES).reduce((sum, size) => sum + size)
const MAC_BYTES = 16

/** What somebody has proved who signs in now. */
export function provenAt(now: Date): Proven {
  const at = secondsOf(now)
  return { begunAt: at, provedAt: at, second: null }
}

/** The first token of a session. */
export const firstToken = (
  session: Pick<RefreshToken, 'accountId' | 'sessionId' | 'generation' | 'method'> & Proven,
  now: Date,
): RefreshToken => ({ ...session, number: 0, lastDay: lastDayFrom(now) })

/**
 * The token that `number` says, in the place of an earlier one of its session: the same one for two tabs which
 * ask at once, but for the day.
 */
export const laterToken = (
  token: RefreshToken,
  { number, generation }: Pick<RefreshToken, 'number' | 'generation'>,
  now: Date,
): RefreshToken => ({ ...token, number, generation, lastDay: lastDayFrom(now) })

export const isOver = ({ lastDay }: RefreshToken, now: Date) => lastDay < dayNumber(now)

/** As it is given to the browser. */
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
  write(SIZES.provedAt, token.provedAt)
  write(SIZES.secondAt, second?.at ?? 0)
  write(SIZES.lastDay, token.lastDay)
  write(SIZES.method, FIRST_METHODS.indexOf(token.method))
  // 0 for none.
  write(SIZES.secondMethod, second ? SECOND_METHODS.indexOf(second.method) + 1 : 0)
  return Buffer.concat([body, macOf(secrets, body)]).toString('base64url')
}

/** The token that `text` is, or undefined for one that this site never gave. */
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
  const times = { begunAt: read(SIZES.begunAt), provedAt: read(SIZES.provedAt) }
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

/** What stands before the signature, if that is this site's and the text is written as the site writes it. */
function signedPart(secrets: Secrets, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Letters that base64url ignores must not make a second text of one token.
  if (bytes.toString('base64url') !== text || bytes.length <= MAC_BYTES) return undefined
  const signed = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secrets, signed)) ? signed : undefined
}

/** A uuid of its bytes. */
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
