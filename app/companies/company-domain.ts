/**
 * Whose a domain is: the server and a browser that gets a badge must say the same. No I/O here, but a heavy list: a
 * screen loads it on demand.
 */
import { parse } from 'tldts'

/**
 * The part of a name that somebody has registered: `acme.co.uk` of `careers.acme.co.uk`. Where many
 * live under one roof (`acme.github.io`), each has a part of their own, and the roof is its owner's.
 * @returns null for what belongs to nobody: an IP address, `co.uk`
 */
export function registeredPart(host: string): string | null {
  const { domain, hostname, isIp, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (domain || isIp) return isIp ? null : domain
  return isPrivate ? hostname : null
}

/** The domain of a company's website, without `www.` and the like; null where there is none. */
export const domainOfWebsite = (website: string | null) =>
  website && URL.canParse(website) ? registeredPart(new URL(website).hostname) : null
