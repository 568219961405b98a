/** Which domain a mail address belongs to, and whether that is a company's or a free provider's. */
import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'
import { badRequest } from '#app/platform/http/refusal.ts'
import { domainOfWebsite, registeredPart } from './company-domain.ts'

interface MailDomain {
  host: string
  /** Null if no one can register the domain. */
  domain: string | null
  /** A provider where anyone can have an address. */
  isFree: boolean
}

/** @param email a single address, as `mailboxProblem` accepts it */
export function mailDomainOf(email: string): MailDomain {
  const typed = email.trim().slice(email.trim().lastIndexOf('@') + 1)
  // "bücher.example" and its punycode are one domain; "" means invalid.
  const host = domainToASCII(typed)
  const domain = /^[a-z0-9.-]+[a-z0-9]$/.test(host) ? registeredPart(host) : null
  const isFree = freeProviders().has(host) || (domain !== null && freeProviders().has(domain))
  return { host, domain, isFree }
}

/** Sentences that differ between claims and badges. */
interface DomainRefusals {
  noWebsite: string
  noDomain: string
  freeMail: (host: string) => string
  otherDomain: (domain: string) => string
}

/** @throws Refusal bad-request */
export function requireDomain(website: string | null, says: DomainRefusals): string {
  if (!website) throw badRequest(says.noWebsite)
  const domain = domainOfWebsite(website)
  if (!domain) throw badRequest(says.noDomain)
  return domain
}

/** @param email a single address, as `mailboxProblem` accepts it @throws Refusal bad-request */
export function requireWorkAddress(email: string, domain: string, says: DomainRefusals) {
  const own = mailDomainOf(email)
  if (own.isFree) throw badRequest(says.freeMail(own.host))
  if (own.domain !== domain) throw badRequest(says.otherDomain(domain))
}

let providers: Set<string> | undefined

/** About nine thousand domains, loaded on first use. */
function freeProviders() {
  providers ??= new Set(
    createRequire(import.meta.url)('email-providers/all.json') as readonly string[],
  )
  return providers
}
