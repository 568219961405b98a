/** How this browser gets a badge, over the secret that it rates with. Heavy with the curve: it comes with its page. */
import { apartTransport, type Client, createClient } from '#app/api/client.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { type Holder, storedHolder } from '#app/identity/credentials/holder.data.ts'
import { presentIssuerKey } from '#app/identity/credentials/issuer-keys.data.ts'
import { credentialOf, issueOver } from '#app/identity/credentials/issuing.data.ts'
import { ForeignIssuer } from '#app/identity/credentials/issuing-problem.data.ts'
import type { CompanyContract } from '../company.contract.ts'
import { companyPath } from '../company.ts'
import { domainOfWebsite } from '../company-domain.ts'
import type { BadgeContract } from './badge.contract.ts'
import { type KeptBadge, keepBadge } from './kept-badges.data.ts'

export type BadgeApi = Client<BadgeContract & CredentialContract>

const apart = createClient<CompanyContract>(apartTransport)

/** What a badge is for, as everybody reads it. */
export type BadgeCompany = KeptBadge['company'] & Pick<KeptBadge, 'domain'>

/**
 * What the link of a mail is for. The server only says which company; its name and its domain are asked for as any
 * stranger asks, so nobody is given others than everybody else.
 * @throws ForeignIssuer where they read of no company with a domain; ApiError
 */
export async function companyOfLink(api: BadgeApi, token: string): Promise<BadgeCompany> {
  const { companyId } = await api('POST /api/v1/my/badge/link', { body: { token } })
  const company = await apart('GET /api/v1/companies/{id}', { params: { id: companyId } })
  const domain = domainOfWebsite(company.website)
  const { id, name } = company
  if (!domain || id !== companyId) throw new ForeignIssuer('company')
  return { id, name, path: companyPath(company), domain }
}

/**
 * Fetches the badge that a mail's link is for, of the present quarter. Whoever has no secret yet begins with one.
 * @param who as `useSessionKey` tells people apart
 * @throws SecretElsewhere, ForeignIssuer, WrongClock, KeepsNothing, ApiError
 */
export async function fetchBadge(
  api: BadgeApi,
  who: string,
  { token, company: { domain, ...company } }: { token: string; company: BadgeCompany },
): Promise<KeptBadge> {
  await credentialOf(api as never, who)
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
