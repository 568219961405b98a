/** Access tokens: signed, short-lived, checked without the database (whether the session has ended is asked there). */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { keptFile } from '#app/platform/database/secrets.server.ts'
import { ConfigError } from '#app/platform/operations/config.server.ts'

const ALGORITHMS = ['ES256', 'RS256'] as const
type Algorithm = (typeof ALGORITHMS)[number]
const AUDIENCE = 'authenticated'
/** What a site without SITE_URL calls itself in its tokens: its address hangs on the port of the process. */
const NAMELESS = 'urn:kettle:auth'
/** Verified tokens that are remembered, so that their signature is not computed again. */
const REMEMBERED = 5_000

/** How a session came about: by password, by a confirmation link, by a reset link. */
export type SignInMethod = 'password' | 'otp' | 'recovery'

/** What an access token says, as the field's client expects it. */
export interface AccessClaims {
  /** The account. */
  sub: string
  session_id: string
  role: string
  exp: number
  /** How the person signed in, and took the second step, and when in seconds. */
  amr?: { method: string; timestamp: number }[]
  /** When the session began, in seconds; proving it again moves the times of `amr` and not this. */
  session_began?: number
  /** See session-marks.server.ts; absent in tokens from before sessions had one. */
  session_generation?: number
  /** Of the refresh token beside it, in the chain of its session; absent in tokens from before they had it. */
  session_number?: number
}

export interface Tokens {
  /** Seconds until a fresh access token ends. */
  readonly lifetime: number
  sign(claims: Record<string, unknown>, sub: string): { token: string; expiresAt: number }
  /** A token for programs of the operator, with role service_role and no session. */
  signForService(seconds: number): string
  /** The claims, or undefined for a token that is forged, of another site, expired, or not one. */
  verify(token: string): AccessClaims | undefined
  /** The public keys. */
  jwks: { keys: SigningKey[] }
}

/** A key as AUTH_SIGNING_KEYS holds it. */
export interface SigningKey extends JsonWebKey {
  alg?: string
  kid?: string
}

/**
 * @param settings.keys private JWKs, ES256 or RS256: the first signs, all verify
 * @param settings.issuer what every process of the site says, whichever port it listens on
 * @param settings.formerIssuer whose tokens are good while they live, too; asked at each use, as the port
 * may become known only after the start
 */
export function createTokens(settings: {
  keys: SigningKey[]
  issuer: string
  formerIssuer?: () => string
  lifetime: number
  now?: () => Date
}): Tokens {
  const { issuer, formerIssuer, lifetime, now = () => new Date() } = settings
  const keys = settings.keys.map(usableKey)
  const [first] = keys
  if (!first) throw new ConfigError('AUTH_SIGNING_KEYS holds no key.')
  const signWith = createSigner({ algorithm: first.alg, kid: first.kid, key: first.privatePem })
  const verifiers = new Map(
    keys.map(({ kid, alg, publicPem }) => [
      kid,
      // Its own algorithm and no other. When a token ends is looked at below, by our clock.
      createVerifier({ key: publicPem, algorithms: [alg], ignoreExpiration: true }),
    ]),
  )
  const decode = createDecoder({ complete: true })
  const verified = new LRUCache<string, AccessClaims>({ max: REMEMBERED })
  const issuers = () => (formerIssuer ? [issuer, formerIssuer()] : [issuer])
  const seconds = () => Math.floor(now().getTime() / 1000)

  /** Looks at the clock once: a second that turns meanwhile would shorten what is signed. */
  function signFor(forSeconds: number, claims: Record<string, unknown>) {
    const iat = seconds()
    const exp = iat + forSeconds
    return { token: signWith({ ...claims, aud: AUDIENCE, iss: issuer, iat, exp }), expiresAt: exp }
  }

  function checkedClaims(token: string): AccessClaims | undefined {
    const verify = verifiers.get(decode(token).header.kid)
    // Stryker disable next-line OptionalChaining: what is thrown is caught, and means the same.
    const claims = verify?.(token)
    const isOurs = claims && issuers().includes(claims.iss) && claims.aud === AUDIENCE
    return isOurs && typeof claims.exp === 'number' && typeof claims.role === 'string'
      ? claims
      : undefined
  }

  return {
    lifetime,
    jwks: { keys: keys.map(({ publicJwk }) => publicJwk) },
    sign: (claims, sub) => signFor(lifetime, { ...claims, sub }),
    signForService: (forSeconds) => signFor(forSeconds, { role: 'service_role' }).token,
    verify(token) {
      let claims = verified.get(token)
      try {
        claims ??= checkedClaims(token)
      } catch {
        // Not a token.
      }
      if (!claims || claims.exp <= seconds()) return undefined
      verified.set(token, claims)
      return claims
    },
  }
}

export const issuerOf = (siteUrl: string | undefined) => (siteUrl ? `${siteUrl}/auth/v1` : NAMELESS)

/** The keys of AUTH_SIGNING_KEYS, or one that `dataDir` keeps from its first start on. */
export async function readSigningKeys(config: {
  dataDir: string
  auth: { signingKeys?: Record<string, unknown>[] }
}): Promise<SigningKey[]> {
  if (config.auth.signingKeys) return config.auth.signingKeys as SigningKey[]
  const text = await keptFile(config.dataDir, 'auth-signing-keys.json', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return JSON.stringify([
      { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', kid: randomUUID() },
    ])
  })
  return JSON.parse(text)
}

const pem = (key: KeyObject) =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }) as string

/** @throws ConfigError for a key that cannot sign */
function usableKey(key: SigningKey, at: number) {
  try {
    if (!ALGORITHMS.includes(key.alg as Algorithm)) throw new Error('alg must be ES256 or RS256')
    if (!key.d) throw new Error('it is not a private key')
    const privateKey = createPrivateKey({ key, format: 'jwk' })
    const publicKey = createPublicKey(privateKey)
    const alg = key.alg as Algorithm
    const kid = key.kid ?? `key-${at + 1}`
    const publicJwk = {
      ...publicKey.export({ format: 'jwk' }),
      alg,
      kid,
      use: 'sig',
      key_ops: ['verify'],
    }
    return { alg, kid, publicJwk, privatePem: pem(privateKey), publicPem: pem(publicKey) }
  } catch (error) {
    throw new ConfigError(
      `Key ${at + 1} of AUTH_SIGNING_KEYS cannot be used: ${(error as Error).message}.`,
    )
  }
}
