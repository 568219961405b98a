/**
 * Issues and verifies this site's credentials. Its keys can forge credentials, but can't tell whose
 * a credential is.
 */
import { digestsOf, ISSUER_VERSION, type IssuerList, type ListedKey } from './issuer-list.ts'
import { type IssuerKeys, startCredentialPool } from './pool.server.ts'
import { type Purpose, requestContextOf } from './purposes.ts'
import { quarterOf, quartersAhead, quartersAround } from './quarter.ts'

export type Issuer = ReturnType<typeof createIssuer>

export interface StoredKey {
  /** Such as 2026-Q4. */
  quarter: string
  publicKey: Uint8Array
  /** Undefined once the quarter's credentials have ended. */
  privateKey: Uint8Array | undefined
}

/** The whole chain in order, with keys for these quarters. */
export type IssuerKeyStore = (quarters: string[]) => Promise<StoredKey[]>

export function createIssuer(
  stored: IssuerKeyStore,
  today: () => string,
  witnesses: readonly string[] = [],
) {
  // Separate pools, so flooding one doesn't block the other.
  const issuing = startCredentialPool()
  const verifying = startCredentialPool()
  /** We read it once a day, so destroyed keys don't stay in memory. */
  let known: { day: string; keys: StoredKey[]; listed: ListedKey[]; digest: string } | undefined
  const chain = async () => {
    const day = today()
    if (known?.day === day) return known
    const keys = await stored(quartersAhead(day))
    const listed = listedOf(keys)
    known = { day, keys, listed, digest: digestsOf(listed).at(-1) ?? '' }
    return known
  }
  const keysOf = async (quarter: string): Promise<IssuerKeys | undefined> => {
    const { keys } = await chain()
    const { privateKey, publicKey } = keys.find((key) => key.quarter === quarter) ?? {}
    return privateKey && publicKey && { privateKey, publicKey }
  }
  return {
    /** The keys of all quarters so far and of the next two. The same for everyone. */
    async list(): Promise<IssuerList> {
      const { listed: keys, digest } = await chain()
      const quarter = quarterOf(today())
      return { version: ISSUER_VERSION, quarter, digest, keys, witnesses: [...witnesses] }
    },
    /** Digest of the list, as pages show it. Empty until the list is first read. */
    digest: () => known?.digest ?? '',
    /**
     * Answers a request for the current quarter. Returns undefined if the request's proof is wrong.
     * @param question.commitment the account's stored one, from its second request on
     * @throws Unavailable
     */
    async issue(
      purpose: Purpose,
      question: { request: Uint8Array; commitment: Uint8Array | undefined },
    ) {
      const keys = purpose.quarter === quarterOf(today()) && (await keysOf(purpose.quarter))
      if (!keys) return
      return issuing.issue({ ...question, keys, requestContext: requestContextOf(purpose) })
    },
    /**
     * The tag of a presentation, with a credential of this quarter or the previous one. Undefined if the proof is wrong.
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
      const [before, now] = quartersAround(today())
      const isValid = purpose.quarter === before || purpose.quarter === now
      const keys = isValid && (await keysOf(purpose.quarter))
      if (!keys) return
      return verifying.verify({ ...question, keys, requestContext: requestContextOf(purpose) })
    },
    async stop() {
      await Promise.all([issuing.stop(), verifying.stop()])
    },
  }
}

const listedOf = (keys: StoredKey[]): ListedKey[] =>
  keys.map(({ quarter, publicKey }) => ({
    quarter,
    publicKey: Buffer.from(publicKey).toString('base64url'),
  }))
