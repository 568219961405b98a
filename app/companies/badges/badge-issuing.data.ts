/**
 * Gets a badge for the secret that this browser rates with. Import this file lazily, because it loads
 * the curve.
 */
import { anonymousTransport, type Client, createClient } from '#app/api/client.ts'
import { type Holder, storedHolder } from '#app/identity/credentials/holder.data.ts'
import { presentIssuerKey } from '#app/identity/credentials/issuer-keys.data.ts'
import {
  type CredentialApi,
  credentialOf,
  issueOver,
} from '#app/identity/credentials/issuing.data.ts'
import { ForeignIssuer } from '#app/identity/credentials/issuing-problem.data.ts'
import type { CompanyContract } from '../company.contract.ts'
import { companyPath } from '../company.ts'
import { domainOfWebsite } from '../company-domain.ts'
import type { BadgeContract } from './badge.contract.ts'
import { keepBadge, type StoredBadge } from './stored-badges.data.ts'

export type BadgeApi = Client<BadgeContract> & CredentialApi

const anonymousApi = createClient<CompanyContract>(anonymousTransport)

/** What the browser keeps until someone types the code. */
export interface AskedBadge {
  token: string
  companyId: string
  /** Only for the screen. The badge itself uses what everyone can read. */
  domain: string
}

/**
 * Gets this quarter's badge for an emailed code, and creates a secret if there is none. We request the company's name
 * and domain anonymously, so the site can't give someone different ones.
 * @param sessionKey from `useSessionKey`
 * @throws SecretElsewhere, ForeignIssuer, WrongClock, StorageBlocked, ApiError
 */
export async function fetchBadge(
  api: BadgeApi,
  sessionKey: string,
  { token, companyId, code }: AskedBadge & { code: string },
): Promise<StoredBadge> {
  const found = await anonymousApi('GET /api/v1/companies/{id}', { params: { id: companyId } })
  const domain = domainOfWebsite(found.website)
  if (!domain) throw new ForeignIssuer('company')
  await credentialOf(api, sessionKey)
  const { quarter, publicKey } = await presentIssuerKey()
  const { m1, r } = storedHolder(sessionKey) as Holder
  const { issued } = await issueOver(
    { m1, r },
    { purpose: { kind: 'badge', domain, quarter }, publicKey, isFirst: false },
    (request) =>
      api('POST /api/v1/my/badge/credential', { body: { token, code, quarter, request } }),
  )
  const company = { id: found.id, name: found.name, path: companyPath(found) }
  const badge = { domain, company, quarter, m1, publicKey, issued }
  keepBadge(sessionKey, badge)
  return badge
}
