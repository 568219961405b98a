/** Where somebody's mail goes: to a company, or to a house where anybody may have an address; and who belongs to one by it. */
import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'
import { badRequest } from '#app/platform/http/refusal.ts'
import { domainOfWebsite, registeredPart } from './company-domain.ts'

/** Where the mail of an address goes. */
export interface MailDomain {
  host: string
  /** Null where it is nobody's. */
  domain: string | null
  /** At a provider's anybody has an address. */
  isFree: boolean
}

/** @param email one address, as `mailboxProblem` allows it */
export function mailDomainOf(email: string): MailDomain {
  const typed = email.trim().slice(email.trim().lastIndexOf('@') + 1)
  // "bücher.example" and its form in the DNS are one domain; "" is none at all.
  const host = domainToASCII(typed)
  const domain = /^[a-z0-9.-]+[a-z0-9]$/.test(host) ? registeredPart(host) : null
  const isFree = freeProviders().has(host) || (domain !== null && freeProviders().has(domain))
  return { host, domain, isFree }
}

/** The sentences that say no; claims and badges have their own. */
export interface DomainRefusals {
  noWebsite: string
  noDomain: string
  freeMail: (host: string) => string
  otherDomain: (domain: string) => string
}

/** The domain of a company's website. @throws Refusal bad-request */
export function requireDomain(website: string | null, says: DomainRefusals): string {
  if (!website) throw badRequest(says.noWebsite)
  const domain = domainOfWebsite(website)
  if (!domain) throw badRequest(says.noDomain)
  return domain
}

/**
 * Everybody with an address at the company's domain may show it; at a provider's anybody has one.
 * @param email one address, as `mailboxProblem` allows it
 * @throws Refusal bad-request
 */
export function requireWorkAddress(email: string, domain: string, says: DomainRefusals) {
  const own = mailDomainOf(email)
  if (own.isFree) throw badRequest(says.freeMail(own.host))
  if (own.domain !== domain) throw badRequest(says.otherDomain(domain))
}

let providers: Set<string> | undefined

/** A list of some nine thousand, read when the first address is looked at. */
function freeProviders() {
  providers ??= new Set(
    createRequire(import.meta.url)('email-providers/all.json') as readonly string[],
  )
  return providers
}
