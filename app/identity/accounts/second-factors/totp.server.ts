/** Codes of an authenticator app: a new one each 30 seconds, the usual way (RFC 6238). */
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const SECRET_BYTES = 20
const PERIOD_S = 30
/** Steps before and after: clocks differ, and typing takes time. */
const WINDOW = 1
/** As long as a code is taken, and a step more. */
export const STEP_MS = (2 * WINDOW + 2) * PERIOD_S * 1000

const appOf = (secret: string, words: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...words, secret: Secret.fromBase32(secret), period: PERIOD_S })

export const newSecret = () => new Secret({ size: SECRET_BYTES }).base32

/** What an app reads, as a link, a picture, and text to type. */
export function invitation(secret: string, words: { issuer: string; label: string }) {
  const uri = appOf(secret, words).toString()
  return { qr_code: renderSVG(uri), secret, uri }
}

/** The step that `code` is of; undefined for one that is not of now. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const app = appOf(secret)
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = app.validate({ token, timestamp, window: WINDOW })
  return delta === null ? undefined : app.counter({ timestamp }) + delta
}
