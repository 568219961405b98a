/** The page that a link in a mail opens. Nothing has happened yet: its button does it. */
import { escaped } from '../../../server/html-text.server.ts'

const WORDS = {
  signup: {
    title: 'Confirm your e-mail',
    text: 'One press, and this address belongs to your account.',
    button: 'Confirm my e-mail',
  },
  recovery: {
    title: 'Choose a new password',
    text: 'You asked for a new password. The next page lets you choose it.',
    button: 'Continue',
  },
  email_change: {
    title: 'Confirm your new e-mail',
    text: 'One press, and your account uses this address from now on.',
    button: 'Confirm my new e-mail',
  },
} as const

interface Link {
  type: keyof typeof WORDS
  token?: string
  token_hash?: string
  redirect_to: string
}

/** Mail scanners open links, so a GET must not use one up. Decision 8. */
export function linkPage({ type, token, token_hash, redirect_to }: Link, siteName: string) {
  const { title, text, button } = WORDS[type]
  const fields = { type, token: token_hash ?? token ?? '', redirect_to }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  const body = `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  <img src="/favicon.svg" alt="" class="mx-auto size-12">
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${title}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${text}</p>
  <form method="post" action="/auth/v1/verify" class="mt-9">
    ${inputs.join('\n    ')}
    <button class="inline-flex h-12 items-center justify-center rounded-md bg-tea px-6 text-base font-medium text-on-tea transition-colors hover:bg-tea-strong">${button}</button>
  </form>
  <p class="mt-9 text-sm text-ink-faint">You did not ask for this? Close the page, and nothing happens. <a class="text-tea underline underline-offset-4" href="/">Go to ${escaped(siteName)}</a></p>
</main>`
  return { title: `${title} – ${siteName}`, body }
}
