/** Access tokens: signed and short-lived. We verify them without the database, except to find ended sessions. */
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
import { storedFile } from '#app/platform/database/secrets.server.ts'
import { type Config, ConfigError } from '#app/platform/operations/config.server.ts'

const ALGORITHMS = ['ES256', 'RS256'] as const
type Algorithm = (typeof ALGORITHMS)[number]
const AUDIENCE = 'authenticated'
/** The issuer without SITE_URL, because the site's URL then depends on the port. */
const NAMELESS = 'urn:kettle:auth'
/** How many verified tokens we cache, because verifying a signature is expensive. */
const CACHED_MAX = 5_000

/** How a session began: password, confirmation link, or reset link. */
export type SignInMethod = 'password' | 'otp' | 'recovery'

/** The claims that auth-js expects. */
export interface AccessClaims {
  sub: string
  session_id: string
  role: string
  exp: number
  /** How the person logged in and took the second step, and when, in seconds. */
  amr?: { method: string; timestamp: number }[]
  /** When the session began, in seconds. Later reauthentications only change `amr`. */
  session_began?: number
  /** See session-marks.server.ts. Absent in older tokens. */
  session_generation?: number
  /** The number of the refresh token issued with it. Absent in older tokens. */
  session_number?: number
}

export interface Tokens {
  /** Seconds until a new access token expires. */
  readonly lifetime: number
  sign(claims: Record<string, unknown>, sub: string): { token: string; expiresAt: number }
  /** Signs a token for the operator's programs, with the role service_role and no session. */
  signForService(seconds: number): string
  /** Returns the claims, or undefined if the token is forged, expired, another site's, or not a token. */
  verify(token: string): AccessClaims | undefined
  jwks: { keys: SigningKey[] }
}

export interface SigningKey extends JsonWebKey {
  alg?: string
  kid?: string
}

/**
 * @param settings.keys private JWKs, ES256 or RS256: the first signs, all verify
 * @param settings.issuer the same in all processes, whatever their port
 * @param settings.formerIssuer whose tokens stay valid until they expire. A function, as the port
 * may only be known later
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
  if (!first) throw new ConfigError('AUTH_SIGNING_KEYS doesn’t contain a key.')
  const signWith = createSigner({ algorithm: first.alg, kid: first.kid, key: first.privatePem })
  const verifiers = new Map(
    keys.map(({ kid, alg, publicPem }) => [
      kid,
      // We accept only the key's own algorithm, and check the expiry below, by our clock.
      createVerifier({ key: publicPem, algorithms: [alg], ignoreExpiration: true }),
    ]),
  )
  const decode = createDecoder({ complete: true })
  const verified = new LRUCache<string, AccessClaims>({ max: CACHED_MAX })
  const issuers = () => (formerIssuer ? [issuer, formerIssuer()] : [issuer])
  const seconds = () => Math.floor(now().getTime() / 1000)

  /** Reads the clock once, so a new second can't shorten the lifetime. */
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
        // The text isn't a token.
      }
      if (!claims || claims.exp <= seconds()) return undefined
      verified.set(token, claims)
      return claims
    },
  }
}

export const issuerOf = (siteUrl: string | undefined) => (siteUrl ? `${siteUrl}/auth/v1` : NAMELESS)

/** Reads the keys from AUTH_SIGNING_KEYS, or from `dataDir`, where the first start creates one. */
export async function readSigningKeys(
  config: Pick<Config, 'dataDir' | 'signingKeys'>,
): Promise<SigningKey[]> {
  if (config.signingKeys) return config.signingKeys as SigningKey[]
  const text = await storedFile(config.dataDir, 'auth-signing-keys.json', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return JSON.stringify([
      { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', kid: randomUUID() },
    ])
  })
  return JSON.parse(text)
}

const pem = (key: KeyObject) =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }) as string

/** @throws ConfigError if it can't sign */
function usableKey(key: SigningKey, at: number) {
  try {
    if (!ALGORITHMS.includes(key.alg as Algorithm)) throw new Error('alg must be ES256 or RS256')
    if (!key.d) throw new Error('it isn’t a private key')
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
      `Key ${at + 1} in AUTH_SIGNING_KEYS can’t be used: ${(error as Error).message}.`,
    )
  }
}
