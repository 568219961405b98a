import { holderKeyOf } from '#app/api/credential/holder-keys.ts'
import { fromBase64url, toBase64url } from './credential.ts'
import { storedHolder } from './holder.data.ts'

/**
 * Keys that find a person's ratings, in base64url, for a company and those merged into it.
 * Undefined if this browser has no secret. Only needs a hash, so it loads no curve.
 * @param who as from `useSessionKey`
 */
export function holderKeys(who: string, companyIds: string[]): string[] | undefined {
  const holder = storedHolder(who)
  if (!holder || holder.isRefused) return
  const m1 = fromBase64url(holder.m1)
  return companyIds.map((id) => toBase64url(holderKeyOf(m1, id)))
}
