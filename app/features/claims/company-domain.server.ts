/** Whose a domain is: a company's, or that of a house where anybody may have an address. */
import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { badRequest } from '../../server/refusal.ts'
import { CLAIM_REFUSALS } from './claim.ts'

/**
 * The part of a name that somebody has registered: `acme.co.uk` of `careers.acme.co.uk`. Where many
 * live under one roof (`acme.github.io`), each has a part of their own, and the roof is its owner's.
 * @returns null for what belongs to nobody: an IP address, `co.uk`
 */
function registeredPart(host: string): string | null {
  const { domain, hostname, isIp, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (domain || isIp) return isIp ? null : domain
  return isPrivate ? hostname : null
}

/** The domain of a company's website, without `www.` and the like. @throws Refusal bad-request */
export function requireDomain(website: string | null): string {
  if (!website) throw badRequest(CLAIM_REFUSALS.noWebsite)
  const domain = domainOfWebsite(website)
  if (!domain) throw badRequest(CLAIM_REFUSALS.noDomain)
  return domain
}

/** The same where there may be none. */
export const domainOfWebsite = (website: string | null) =>
  website && URL.canParse(website) ? registeredPart(new URL(website).hostname) : null

/**
 * Everybody with an address at the company's domain may show it; at a provider's anybody has one.
 * @param email one address, as `workEmailProblem` allows it
 * @throws Refusal bad-request
 */
export function requireWorkAddress(email: string, domain: string) {
  const typed = email.trim().slice(email.trim().lastIndexOf('@') + 1)
  // "bücher.example" and its form in the DNS are one domain; "" is none at all.
  const host = domainToASCII(typed)
  const own = /^[a-z0-9.-]+[a-z0-9]$/.test(host) ? registeredPart(host) : null
  if (freeProviders().has(host) || (own && freeProviders().has(own)))
    throw badRequest(CLAIM_REFUSALS.freeMail(host))
  if (own !== domain) throw badRequest(CLAIM_REFUSALS.otherDomain(domain))
}

let providers: Set<string> | undefined

/** A list of some nine thousand, read when the first address is looked at. */
function freeProviders() {
  providers ??= new Set(
    createRequire(import.meta.url)('email-providers/all.json') as readonly string[],
  )
  return providers
}
