/** Where a link in a mail may lead: to this site, or exactly where the settings allow. */
import type { AuthSettings } from '#app/api/auth/actor.server.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `wanted` if it is allowed, else the site. Never throws. */
export function redirectTarget(
  { siteUrl, redirectUrls }: Pick<AuthSettings, 'siteUrl' | 'redirectUrls'>,
  wanted: string | undefined,
): string {
  const site = new URL(siteUrl())
  if (!wanted) return site.origin
  if (redirectUrls.includes(wanted)) return wanted
  // Browsers read a backslash as a slash and skip tabs and line breaks, which hides another host.
  if (/[\\\s\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, site.origin)) return site.origin
  const target = new URL(wanted, site.origin)
  const isOwn =
    target.protocol === site.protocol &&
    target.port === site.port &&
    target.username === '' &&
    target.password === '' &&
    (target.hostname === site.hostname ||
      // Locally, people use either name of their machine.
      (LOOPBACK.has(target.hostname) && LOOPBACK.has(site.hostname)))
  return isOwn ? target.href : site.origin
}

export function withParameters(
  target: string,
  { query, fragment }: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(target)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  if (fragment) url.hash = new URLSearchParams(fragment).toString()
  return url.href
}
