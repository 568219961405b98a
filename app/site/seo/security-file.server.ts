/** `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities, if configured. */

import type { Http } from '#app/platform/http/http.server.ts'
import { DAY_MS, dayOf } from '#app/platform/jobs/days.server.ts'

/** The format requires an expiry; the file is generated per request, so it is always half a year ahead. */
const HOLDS_DAYS = 180

export const securityText = (contact: string, siteUrl: string, now: Date) =>
  [
    `Contact: ${contact}`,
    `Expires: ${dayOf(new Date(now.getTime() + HOLDS_DAYS * DAY_MS))}T00:00:00.000Z`,
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n')

/** @param contact a mailto: or https: URL; without it the file doesn't exist */
export function registerSecurityFile(
  http: Http,
  {
    contact,
    site,
    now,
  }: { contact: string | undefined; site: { siteUrl: string }; now: () => Date },
) {
  if (contact === undefined) return
  http.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(securityText(contact, site.siteUrl, now())),
  )
}
