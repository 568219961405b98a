/** Access tokens: signed, short-lived, checked without the database (whether the session lives on is asked there). */
import { randomUUID } from 'node:crypto'
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { ConfigError } from '../server/config.server.ts'
import { keptFile } from '../server/secrets.server.ts'

const ALGORITHMS = ['ES256', 'RS256']
const AUDIENCE = 'authenticated'
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
}

export interface Tokens {
  /** Seconds until a fresh access token ends. */
  readonly lifetime: number
  sign(claims: Record<string, unknown>, sub: string): Promise<{ token: string; expiresAt: number }>
  /** A token for programs of the operator, with role service_role and no session. */
  signForService(seconds: number): Promise<string>
  /** The claims, or undefined for a token that is forged, of another site, expired, or not one. */
  verify(token: string): Promise<AccessClaims | undefined>
  /** The public keys. */
  jwks: JSONWebKeySet
}

/**
 * @param settings.keys private JWKs, ES256 or RS256: the first signs, all verify
 * @param settings.issuer asked at each use: the port may become known only after the start
 */
export async function createTokens(settings: {
  keys: JWK[]
  issuer: () => string
  lifetime: number
  now?: () => Date
}): Promise<Tokens> {
  const { issuer, lifetime, now = () => new Date() } = settings
  const keys = settings.keys.map((key, i) => ({ ...key, kid: key.kid ?? `key-${i + 1}` }))
  const [first] = keys
  if (!first) throw new ConfigError('AUTH_SIGNING_KEYS holds no key.')
  const signing = await importPrivate(first)
  const publicSet: JSONWebKeySet = { keys: keys.map(publicPart) }
  const keySet = createLocalJWKSet(publicSet)
  const verified = new LRUCache<string, AccessClaims>({ max: REMEMBERED })
  const seconds = () => Math.floor(now().getTime() / 1000)

  const sign = (claims: Record<string, unknown>, expiresAt: number, issuedAt: number) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: first.alg as string, kid: first.kid, typ: 'JWT' })
      .setIssuer(issuer())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(signing)

  return {
    lifetime,
    jwks: publicSet,
    async sign(claims, sub) {
      const issuedAt = seconds()
      const expiresAt = issuedAt + lifetime
      const token = await sign({ ...claims, sub, aud: AUDIENCE }, expiresAt, issuedAt)
      return { token, expiresAt }
    },
    signForService: (forSeconds) =>
      sign({ role: 'service_role', aud: AUDIENCE }, seconds() + forSeconds, seconds()),
    async verify(token) {
      const known = verified.get(token)
      if (known) return known.exp > seconds() ? known : undefined
      try {
        const { payload } = await jwtVerify(token, keySet, {
          algorithms: ALGORITHMS,
          issuer: issuer(),
          audience: AUDIENCE,
          currentDate: now(),
          requiredClaims: ['exp', 'role'],
        })
        const claims = payload as unknown as AccessClaims
        verified.set(token, claims)
        return claims
      } catch {
        return undefined
      }
    },
  }
}

/** The keys of AUTH_SIGNING_KEYS, or one that `dataDir` keeps from its first start on. */
export async function readSigningKeys(config: {
  dataDir: string
  auth: { signingKeys?: Record<string, unknown>[] }
}): Promise<JWK[]> {
  if (config.auth.signingKeys) return config.auth.signingKeys as JWK[]
  const text = await keptFile(config.dataDir, 'auth-signing-keys.json', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    return JSON.stringify([{ ...(await exportJWK(privateKey)), alg: 'ES256', kid: randomUUID() }])
  })
  return JSON.parse(text)
}

async function importPrivate(key: JWK) {
  try {
    if (!ALGORITHMS.includes(key.alg ?? '')) throw new Error('alg must be ES256 or RS256')
    if (!key.d) throw new Error('it is not a private key')
    return await importJWK(key, key.alg)
  } catch (error) {
    throw new ConfigError(
      `The first key of AUTH_SIGNING_KEYS cannot sign: ${(error as Error).message}.`,
    )
  }
}

/** Of a private key only what everybody may know. */
function publicPart({ kty, kid, alg, crv, x, y, n, e }: JWK): JWK {
  const shared = { kty, kid, alg, use: 'sig', key_ops: ['verify'] }
  return kty === 'EC' ? { ...shared, crv, x, y } : { ...shared, n, e }
}
