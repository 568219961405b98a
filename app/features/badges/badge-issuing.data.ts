/** How this browser gets a badge, over the secret that it rates with. Heavy with the curve: it comes with its page. */
import type { Client } from '../../api/client.ts'
import type { CredentialContract } from '../credentials/credential.contract.ts'
import { type Holder, keptHolder } from '../credentials/holder.data.ts'
import { presentIssuerKey } from '../credentials/issuer-keys.data.ts'
import { credentialOf, issueOver } from '../credentials/issuing.data.ts'
import type { BadgeContract } from './badge.contract.ts'
import { type KeptBadge, keepBadge } from './kept-badges.data.ts'

export type BadgeApi = Client<BadgeContract & CredentialContract>

/**
 * Fetches the badge that a mail's link is for. Whoever has no secret yet begins with one.
 * @param who as `useSessionKey` tells people apart
 * @throws SecretElsewhere, ForeignIssuer, KeepsNothing, ApiError
 */
export async function fetchBadge(api: BadgeApi, who: string, token: string): Promise<KeptBadge> {
  const { domain, quarter, company } = await api('POST /api/v1/my/badge/link', { body: { token } })
  await credentialOf(api as never, who)
  const { publicKey } = await presentIssuerKey()
  const { m1, r } = keptHolder(who) as Holder
  const { issued } = await issueOver(
    { m1, r },
    { purpose: { kind: 'badge', domain, quarter }, publicKey, isFirst: false },
    (request) => api('POST /api/v1/my/badge/credential', { body: { token, quarter, request } }),
  )
  const badge = { domain, company, quarter, m1, publicKey, issued }
  keepBadge(who, badge)
  return badge
}
