/** The keys by which this browser finds what its person gave. With a hash alone: no curve is loaded for it. */
import { holderKeyOf } from '#app/api/credential/holder-keys.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { keptHolder } from './holder.data.ts'

/**
 * In base64url, of a company and of those that became part of it; undefined where this browser has no secret.
 * @param who as `useSessionKey` tells people apart
 */
export function holderKeys(who: string, companyIds: string[]): string[] | undefined {
  const holder = keptHolder(who)
  if (!holder || holder.isRefused) return
  const m1 = fromBase64url(holder.m1)
  return companyIds.map((id) => toBase64url(holderKeyOf(m1, id)))
}
