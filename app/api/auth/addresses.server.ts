/** Account email addresses: sealed, and found by a keyed hash. S7 and D36. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

export const ACCOUNT_EMAIL: SealedColumn = {
  table: 'accounts',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** A new address whose link hasn't been used yet. */
export const NEW_ACCOUNT_EMAIL: SealedColumn = { ...ACCOUNT_EMAIL, column: 'new_email_sealed' }

/**
 * The canonical form of an address. Domains become ASCII as in the DNS, because mail to "bücher", "BÜCHER",
 * "xn--bcher-kva" and full-width letters arrives in the same mailbox.
 */
export function plainAddress(email: string) {
  const address = email.trim().normalize('NFC').toLowerCase()
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  const isAscii = /^[ -~]*$/.test(domain)
  return address.slice(0, at) + (isAscii ? domain : domainToASCII(domain) || domain)
}

/** Providers that ignore dots in names, and the domain that stands for all of theirs. */
const IGNORES_DOTS: Record<string, string> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
}

/**
 * Equal for all addresses of one mailbox, as far as anyone can tell: `dana+kettle@…` is `dana@…`, and dots don't count
 * where the provider ignores them. For counting people, never for writing to them.
 */
export function mailboxOf(email: string) {
  const address = plainAddress(email)
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const name = local.split('+')[0] || local
  const alike = IGNORES_DOTS[domain]
  return alike ? `${name.replaceAll('.', '')}@${alike}` : `${name}@${domain}`
}

/** An address as people read it, such as `nadia@пример.рф`. We store the domain as in the DNS. */
function shownAddress(address: string) {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at))
}

/**
 * RFC 5321: atoms separated by dots, up to 64 characters. No quoted names, which mail programs
 * could take for several addresses.
 */
const NAME = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])$/

/** Whether mail servers accept this address. Only sending an email shows whether it exists. */
export function isAddress(email: string) {
  const address = plainAddress(email)
  const at = address.lastIndexOf('@')
  return at > 0 && NAME.test(address.slice(0, at)) && DOMAIN.test(address.slice(at + 1))
}

export const addressHash = (secrets: Secrets, email: string) =>
  secrets.hash('e-mail address', plainAddress(email))

export const sealedAddress = (
  secrets: Secrets,
  id: string,
  email: string,
  column = ACCOUNT_EMAIL,
) => ({
  hash: addressHash(secrets, email),
  sealed: secrets.seal(plainAddress(email), sealContext(column, id)),
})

interface StoredAddress {
  id: string
  emailSealed: string
}

export const addressOf = (secrets: Secrets, { id, emailSealed }: StoredAddress) =>
  secrets.open(emailSealed, sealContext(ACCOUNT_EMAIL, id))

interface StoredNewAddress {
  id: string
  newEmailSealed: string | null
}

export const newAddressOf = (secrets: Secrets, { id, newEmailSealed }: StoredNewAddress) =>
  newEmailSealed && secrets.open(newEmailSealed, sealContext(NEW_ACCOUNT_EMAIL, id))

/** The current and the new address, for display to their person. */
export function shownAddresses(secrets: Secrets, account: StoredAddress & StoredNewAddress) {
  const newEmail = newAddressOf(secrets, account)
  return {
    email: shownAddress(addressOf(secrets, account)),
    newEmail: newEmail && shownAddress(newEmail),
  }
}
