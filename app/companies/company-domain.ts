/** Registered domains. Server and browser must agree on them. No I/O here, but a heavy list: screens import it lazily. */
import { parse } from 'tldts'

/**
 * `acme.co.uk` for `careers.acme.co.uk`. On shared domains (`acme.github.io`), each subdomain counts separately, and the
 * bare domain belongs to the provider. @returns null if no one can own it: an IP address, `co.uk`
 */
export function registeredPart(host: string): string | null {
  const { domain, hostname, isIp, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (domain || isIp) return isIp ? null : domain
  return isPrivate ? hostname : null
}

/** Null without a website or a domain. */
export const domainOfWebsite = (website: string | null) =>
  website && URL.canParse(website) ? registeredPart(new URL(website).hostname) : null
