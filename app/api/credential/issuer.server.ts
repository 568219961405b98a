/**
 * The issuer of this site's credentials. Its keys follow from the site's secret key, another pair for each
 * quarter, so that all processes have the same and no table holds any. Whoever has them can make
 * credentials for nobody; whose one is, they do not tell.
 */
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { concatBytes, SCALAR_SEED_BYTES, scalarOf, serializeScalar } from './group.ts'
import { serializeServerPublicKey, setupServer } from './issuing.ts'
import { startCredentialPool } from './pool.server.ts'
import type { IssuerKeys } from './pool-protocol.ts'
import { KETTLE } from './profile.ts'
import { type Purpose, requestContextOf } from './purposes.ts'
import { quartersAround } from './quarter.ts'

export type Issuer = ReturnType<typeof createIssuer>

/** @param today YYYY-MM-DD */
export function createIssuer(secrets: Pick<Secrets, 'hash'>, today: () => string) {
  // One each: whoever floods one keeps nobody from the other.
  const issuing = startCredentialPool()
  const verifying = startCredentialPool()
  const known = new Map<string, IssuerKeys>()
  const keysOf = (quarter: string) => {
    const keys = known.get(quarter) ?? issuerKeys(secrets, quarter)
    known.set(quarter, keys)
    return keys
  }
  return {
    /** Of each quarter that is known today, the first is the oldest. */
    publicKeys: () =>
      quartersAround(today()).map((quarter) => ({
        quarter,
        publicKey: keysOf(quarter).publicKey,
      })),
    /**
     * The response to a request, which may be for this quarter only; nothing where it proves nothing.
     * @param question.commitment what the account keeps, from its second request on
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
     * The tag of a presentation of a credential of this quarter or the one before; nothing where it proves nothing.
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

/** Of one quarter: whoever has the site's secret has these, too. */
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
