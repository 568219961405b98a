/**
 * Issues this site's credentials. The keys are derived from the site's secret key, one pair per
 * quarter, so all processes agree and no table has them. With them one could make credentials for
 * no one in particular, but not tell whose an existing one is.
 */
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { concatBytes, SCALAR_SEED_BYTES, scalarOf, serializeScalar } from './group.ts'
import { serializeServerPublicKey, setupServer } from './issuing.ts'
import { type IssuerKeys, startCredentialPool } from './pool.server.ts'
import { KETTLE } from './profile.ts'
import { type Purpose, requestContextOf } from './purposes.ts'
import { quartersAround } from './quarter.ts'

export type Issuer = ReturnType<typeof createIssuer>

export function createIssuer(secrets: Pick<Secrets, 'hash'>, today: () => string) {
  // Separate, so flooding one doesn't block the other.
  const issuing = startCredentialPool()
  const verifying = startCredentialPool()
  const known = new Map<string, IssuerKeys>()
  const keysOf = (quarter: string) => {
    const keys = known.get(quarter) ?? issuerKeys(secrets, quarter)
    known.set(quarter, keys)
    return keys
  }
  return {
    /** For the quarters known today, oldest first. */
    publicKeys: () =>
      quartersAround(today()).map((quarter) => ({
        quarter,
        publicKey: keysOf(quarter).publicKey,
      })),
    /**
     * Answers a request for the current quarter. Undefined if it proves nothing.
     * @param question.commitment the account's stored one, from its second request on
     * @throws Unavailable
     */
    async issue(
      purpose: Purpose,
      question: { request: Uint8Array; commitment: Uint8Array | undefined },
    ) {
      const { quarter } = purpose
      if (quarter !== quartersAround(today())[1]) return
      const requestContext = requestContextOf(purpose)
      return issuing.issue({ ...question, keys: keysOf(quarter), requestContext })
    },
    /**
     * The tag of a presentation, with a credential of this quarter or the previous one. Undefined
     * if it proves nothing.
     * @throws Unavailable
     */
    async verify(
      purpose: Purpose,
      question: {
        presentationContext: Uint8Array
        message: Uint8Array
        presentation: Uint8Array
      },
    ) {
      const { quarter } = purpose
      const [before, now] = quartersAround(today())
      if (quarter !== before && quarter !== now) return
      const requestContext = requestContextOf(purpose)
      return verifying.verify({ ...question, keys: keysOf(quarter), requestContext })
    },
    async stop() {
      await Promise.all([issuing.stop(), verifying.stop()])
    },
  }
}

/** One quarter's keys, derived from the site's secret. */
export function issuerKeys(secrets: Pick<Secrets, 'hash'>, quarter: string): IssuerKeys {
  let drawn = 0
  const bytes = () => Buffer.from(secrets.hash('issuer key', quarter, String(drawn++)), 'base64url')
  const random = () => scalarOf(concatBytes(bytes(), bytes()).subarray(0, SCALAR_SEED_BYTES))
  const { privateKey, publicKey } = setupServer(KETTLE, random)
  const { x0, x1, x2, x0Blinding } = privateKey
  return {
    privateKey: concatBytes(...[x0, x1, x2, x0Blinding].map(serializeScalar)),
    publicKey: serializeServerPublicKey(publicKey),
  }
}
