/** A single email address. An email header or a list of addresses can't take it for more than one. */
export const isOneAddress = (text: string) =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)

export const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** A sender's name and address, or undefined. We parse it here, because nodemailer ends a name at a comma. */
export function senderOf(text: string) {
  const named = /^(.*)<([^<>]*)>\s*$/s.exec(text)
  const name = oneLine(named?.[1] ?? '').replaceAll(/^"(.*)"$/g, '$1')
  const address = (named?.[2] ?? text).trim()
  return isOneAddress(address) ? { name, address } : undefined
}
