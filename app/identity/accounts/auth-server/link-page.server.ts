/** The page that a link in a mail opens. Nothing has happened yet: its button does it. */
import { escaped } from '#app/platform/http/html-text.server.ts'
import { linkForm, linkPageBody, NOT_YOURS } from '#app/platform/http/link-page.server.ts'

/** Somebody else may have made the account. */
const ELSEWHERE =
  'In another browser than the one that you signed up with, you choose a new password next.'

const WORDS = {
  signup: {
    title: 'Confirm your e-mail',
    text: `One press, and this address belongs to your account. ${ELSEWHERE}`,
    button: 'Confirm my e-mail',
  },
  recovery: {
    title: 'Choose a new password',
    text: 'You asked for a new password. The next page lets you choose it.',
    button: 'Continue',
  },
  email_change: {
    title: 'Confirm your new e-mail',
    text: `One press, and your account uses this address from now on. ${ELSEWHERE}`,
    button: 'Confirm my new e-mail',
  },
} as const

interface Link {
  type: keyof typeof WORDS
  token?: string
  token_hash?: string
  redirect_to: string
}

/** Mail scanners open links, so a GET must not use one up. S31. */
export function linkPage({ type, token, token_hash, redirect_to }: Link, siteName: string) {
  const { title, text, button } = WORDS[type]
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
  // The script says which accounts this browser knows.
  const script = '<script src="/mail-link.js" defer></script>'
  const body = linkPageBody({ title, text, form: form + script, note: NOT_YOURS }, siteName)
  return { title: `${title} – ${siteName}`, body }
}
