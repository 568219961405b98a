import { holderKeyOf, removalKeyOf } from '#app/api/credential/holder-keys.ts'
import { fromBase64url, toBase64url } from './credential.ts'
import { storedHolder } from './holder.data.ts'

/**
 * Keys that find a person's ratings, in base64url, for a company and those merged into it.
 * Undefined if this browser has no secret. Only needs a hash, so it doesn't load the curve.
 * @param sessionKey as from `useSessionKey`
 */
export function holderKeys(sessionKey: string, companyIds: string[]): string[] | undefined {
  const m1 = secretOf(sessionKey)
  return m1 && companyIds.map((id) => toBase64url(holderKeyOf(m1, id)))
}

/** The key that removes this change of a rating. */
export function removalKey(
  sessionKey: string,
  companyId: string,
  version: number,
): string | undefined {
  const m1 = secretOf(sessionKey)
  return m1 && toBase64url(removalKeyOf(m1, companyId, version))
}

function secretOf(sessionKey: string) {
  const holder = storedHolder(sessionKey)
  return !holder || holder.isRefused ? undefined : fromBase64url(holder.m1)
}
