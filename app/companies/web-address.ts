/** Public web addresses, as people type them. No I/O here. */

export const WEB_ADDRESS_MAX = 300

/** Names of local networks. */
const HOUSE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa)$/
const PUBLIC_NAME = /^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/

/** "acme.com" becomes "https://acme.com", with a normalized host. An empty text becomes null. */
export function tidyWebsite(text: string | null): string | null {
  const typed = (text ?? '').trim()
  if (typed === '') return null
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  // We lower the case here, because the database only does that for a to z.
  return whole.replace(/^[^:]+:\/\/[^/?#]*/, (name) =>
    name.normalize('NFKC').replaceAll('。', '.').toLowerCase(),
  )
}

/** @param what it is for: website, source @returns a sentence, or undefined if valid */
export function websiteProblem(address: string | null, what: string): string | undefined {
  if (address === null) return undefined
  if (address.length > WEB_ADDRESS_MAX)
    return `The ${what}’s address can have at most ${WEB_ADDRESS_MAX} characters`
  if (/\s/.test(address) || !URL.canParse(address)) return `This isn’t a valid ${what} address`
  const { protocol, hostname, port, username, password } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `The ${what} must start with http:// or https://`
  if (username || password) return `The ${what}’s address can’t contain a username or password`
  if (port || HOUSE_NAMES.test(hostname) || !PUBLIC_NAME.test(hostname))
    return `The ${what} must be on the public web, such as https://example.com`
  return undefined
}
