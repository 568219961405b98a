/**
 * The tokens, code or error of an emailed link. first-script.js removes them from the address before anything
 * else loads, so no one reads them there and no history keeps them.
 */

/** The local storage key of the account that signed up here. mail-link.js knows it too. */
export const SIGN_UP_KEY = 'kettle-signup'

declare global {
  var kettleMailLink: { query: string; fragment: string } | undefined
}

export const hasMailLink = () =>
  /[?&#](code|error_code)=/.test(
    `${globalThis.kettleMailLink?.query}${globalThis.kettleMailLink?.fragment}`,
  )

/** Empty without a link, and from the second call on. */
export function consumeMailLink() {
  const { query, fragment } = globalThis.kettleMailLink ?? { query: '', fragment: '' }
  globalThis.kettleMailLink = undefined
  return { query: new URLSearchParams(query), fragment }
}
