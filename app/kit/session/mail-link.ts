/**
 * What the link of a mail brought to the page: tokens, a code, or an error. `first-script.js`, which runs before
 * anything else loads, takes it out of the address: nobody reads it there, and no history keeps it.
 */

/** The local storage key of the account that was signed up here; mail-link.js knows it too. */
export const SIGN_UP_KEY = 'kettle-signup'

declare global {
  var kettleMailLink: { query: string; fragment: string } | undefined
}

/** Whether there is a code to redeem, or an error to tell. */
export const hasMailLink = () =>
  /[?&#](code|error_code)=/.test(
    `${globalThis.kettleMailLink?.query}${globalThis.kettleMailLink?.fragment}`,
  )

/** Empty where no link brought anything, and from the second call on. */
export function takeMailLink() {
  const { query, fragment } = globalThis.kettleMailLink ?? { query: '', fragment: '' }
  globalThis.kettleMailLink = undefined
  return { query: new URLSearchParams(query), fragment }
}
