/** Gets a badge, over the secret that this browser rates with. Loads the curve, so it is imported lazily. */
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

/** What anyone can read about a badge's company. */
type BadgeCompany = StoredBadge['company'] & Pick<StoredBadge, 'domain'>

/**
 * What a mail's link is for. The server answers only with the company's id; name and domain are requested anonymously, so
 * no one can be given others than everyone else.
 * @throws ForeignIssuer if the company has no domain; ApiError
 */
export async function companyOfLink(api: BadgeApi, token: string): Promise<BadgeCompany> {
  const { companyId } = await api('POST /api/v1/my/badge/link', { body: { token } })
  const company = await anonymousApi('GET /api/v1/companies/{id}', { params: { id: companyId } })
  const domain = domainOfWebsite(company.website)
  const { id, name } = company
  if (!domain || id !== companyId) throw new ForeignIssuer('company')
  return { id, name, path: companyPath(company), domain }
}

/**
 * Gets this quarter's badge for a mail's link; creates a secret if there is none.
 * @param who from `useSessionKey`
 * @throws SecretElsewhere, ForeignIssuer, WrongClock, KeepsNothing, ApiError
 */
export async function fetchBadge(
  api: BadgeApi,
  who: string,
  { token, company: { domain, ...company } }: { token: string; company: BadgeCompany },
): Promise<StoredBadge> {
  await credentialOf(api, who)
  const { quarter, publicKey } = await presentIssuerKey()
  const { m1, r } = storedHolder(who) as Holder
  const { issued } = await issueOver(
    { m1, r },
    { purpose: { kind: 'badge', domain, quarter }, publicKey, isFirst: false },
    (request) => api('POST /api/v1/my/badge/credential', { body: { token, quarter, request } }),
  )
  const badge = { domain, company, quarter, m1, publicKey, issued }
  keepBadge(who, badge)
  return badge
}
