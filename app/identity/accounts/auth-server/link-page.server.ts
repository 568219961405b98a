import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import {
  escaped,
  LINK_PAGE_NOTE,
  linkForm,
  linkPageBody,
  type MarkedSite,
} from '#app/platform/http/html.server.ts'

const TEXTS = {
  signup: {
    title: 'Confirm your email',
    text: 'Press the button to confirm this address. If you signed up in another browser, you’ll pick a new password next, because we can’t tell that it was you. To keep the one you have, go back there and enter the code from the email.',
    button: 'Confirm my email',
  },
  recovery: {
    title: 'Choose a new password',
    text: 'You asked for a new password. You can choose it on the next page.',
    button: 'Continue',
  },
  email_change: {
    title: 'Confirm your new email',
    text: 'Press the button to use this address for your account. If you aren’t logged in to it in this browser, you’ll pick a new password next, because we can’t tell that it’s you.',
    button: 'Confirm my new email',
  },
} as const

interface Link {
  type: keyof typeof TEXTS
  token?: string
  token_hash?: string
  redirect_to: string
}

/**
 * Nothing has happened until someone presses its button. Mail scanners open links, so a GET mustn't use one up.
 * S31.
 */
export function linkPage({ type, token, token_hash, redirect_to }: Link, site: MarkedSite) {
  const { title, text, button } = TEXTS[type]
  const fields = {
    type,
    token: token_hash ?? token ?? '',
    redirect_to,
    known_ids: '',
  }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  const form = linkForm('/auth/v1/verify', button, inputs.join('\n    '))
  // The script adds the ids of the accounts that this browser knows.
  const script = '<script src="/mail-link.js" defer></script>'
  const body = linkPageBody({ title, text, form: form + script, note: LINK_PAGE_NOTE }, site)
  return { title: `${title} – ${site.siteName}`, body }
}

/** Where an emailed link may lead: to this site, or to exactly the URLs that the settings allow. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `wanted` if it's allowed, or else the site. Never throws. */
export function redirectTarget(
  { siteUrl, onionUrl, redirectUrls }: Pick<AuthSettings, 'siteUrl' | 'onionUrl' | 'redirectUrls'>,
  wanted: string | undefined,
): string {
  const site = new URL(siteUrl())
  if (!wanted) return site.origin
  if (redirectUrls.includes(wanted)) return wanted
  // Browsers read a backslash as a slash and skip tabs and line breaks, which hides another host.
  if (/[\\\s\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, site.origin)) return site.origin
  const target = new URL(wanted, site.origin)
  const isOwn =
    target.username === '' &&
    target.password === '' &&
    (target.origin === site.origin ||
      target.origin === onionUrl ||
      // Locally, people use either name of their machine.
      (target.protocol === site.protocol &&
        target.port === site.port &&
        LOOPBACK.has(target.hostname) &&
        LOOPBACK.has(site.hostname)))
  return isOwn ? target.href : site.origin
}

/** People who asked from the onion address stay there. @param target as from `redirectTarget` */
export const siteOf = (
  { siteUrl, onionUrl }: Pick<AuthSettings, 'siteUrl' | 'onionUrl'>,
  target: string,
) => (onionUrl && new URL(target).origin === onionUrl ? onionUrl : siteUrl())

export function withParameters(
  target: string,
  { query, fragment }: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(target)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  if (fragment) url.hash = new URLSearchParams(fragment).toString()
  return url.href
}
