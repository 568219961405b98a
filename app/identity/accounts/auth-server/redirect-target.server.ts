/** Where a link in a mail may lead: to this site, or letter by letter where the settings allow it. */
import type { AuthSettings } from '#app/api/auth/auth-settings.server.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `wanted` if it is allowed, else the site. Never throws. */
export function redirectTarget(
  { siteUrl, redirectUrls }: Pick<AuthSettings, 'siteUrl' | 'redirectUrls'>,
  wanted: string | undefined,
): string {
  const site = new URL(siteUrl())
  if (!wanted) return site.origin
  if (redirectUrls.includes(wanted)) return wanted
  // Browsers read a backslash as a slash and skip tabs and line ends; who writes them is up to something.
  if (/[\\\s\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, site.origin)) return site.origin
  const target = new URL(wanted, site.origin)
  const isOwn =
    target.protocol === site.protocol &&
    target.port === site.port &&
    target.username === '' &&
    target.password === '' &&
    (target.hostname === site.hostname ||
      // On a laptop people type either name of their own machine.
      (LOOPBACK.has(target.hostname) && LOOPBACK.has(site.hostname)))
  return isOwn ? target.href : site.origin
}

/** `target` with these parameters in its query, its fragment, or both. */
export function withParameters(
  target: string,
  { query, fragment }: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(target)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  if (fragment) url.hash = new URLSearchParams(fragment).toString()
  return url.href
}
