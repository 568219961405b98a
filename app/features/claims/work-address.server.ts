/** Which work addresses show that somebody may act for a company. */
import { badRequest } from '../../server/refusal.ts'
import { domainOfWebsite, mailDomainOf } from '../companies/company-domain.server.ts'
import { CLAIM_REFUSALS } from './claim.ts'

/** The domain of a company's website, without `www.` and the like. @throws Refusal bad-request */
export function requireDomain(website: string | null): string {
  if (!website) throw badRequest(CLAIM_REFUSALS.noWebsite)
  const domain = domainOfWebsite(website)
  if (!domain) throw badRequest(CLAIM_REFUSALS.noDomain)
  return domain
}

/**
 * Everybody with an address at the company's domain may show it; at a provider's anybody has one.
 * @param email one address, as `workEmailProblem` allows it
 * @throws Refusal bad-request
 */
export function requireWorkAddress(email: string, domain: string) {
  const own = mailDomainOf(email)
  if (own.isFree) throw badRequest(CLAIM_REFUSALS.freeMail(own.host))
  if (own.domain !== domain) throw badRequest(CLAIM_REFUSALS.otherDomain(domain))
}
