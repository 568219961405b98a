/** E-mail addresses as accounts keep them: sealed, and found by a keyed hash. S7 and D36. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

export const ACCOUNT_EMAIL: SealedColumn = {
  table: 'accounts',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** The one that waits for its link to be opened. */
export const NEW_ACCOUNT_EMAIL: SealedColumn = { ...ACCOUNT_EMAIL, column: 'new_email_sealed' }

/**
 * The form in which two spellings are one address. A domain with other letters than a to z is as the DNS has it:
 * mail to "bücher", "BÜCHER" and "xn--bcher-kva" comes to one mailbox, and so does mail to a name in full-width letters.
 */
export function plainAddress(email: string) {
  const address = email.trim().normalize('NFC').toLowerCase()
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  const isAscii = /^[ -~]*$/.test(domain)
  return address.slice(0, at) + (isAscii ? domain : domainToASCII(domain) || domain)
}

/** As people write it: `nadia@пример.рф`, where its domain is kept as the DNS has it. */
function shownAddress(address: string) {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at))
}

/** RFC 5321: atoms between dots, 64 characters at most. Quoted names mail could take for more than one address. */
const NAME = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])$/

/** Whether a mail server takes it for an address; only a mail can tell the rest. */
export function isAddress(email: string) {
  const address = plainAddress(email)
  const at = address.lastIndexOf('@')
  return at > 0 && NAME.test(address.slice(0, at)) && DOMAIN.test(address.slice(at + 1))
}

export const addressHash = (secrets: Secrets, email: string) =>
  secrets.hash('e-mail address', plainAddress(email))

/** The pair of columns that hold the address of the account `id`. */
export const sealedAddress = (
  secrets: Secrets,
  id: string,
  email: string,
  column = ACCOUNT_EMAIL,
) => ({
  hash: addressHash(secrets, email),
  sealed: secrets.seal(plainAddress(email), placeIn(column, id)),
})

interface KeptAddress {
  id: string
  emailSealed: string
}

export const addressOf = (secrets: Secrets, { id, emailSealed }: KeptAddress) =>
  secrets.open(emailSealed, placeIn(ACCOUNT_EMAIL, id))

interface KeptNewAddress {
  id: string
  newEmailSealed: string | null
}

/** Null where no new address waits. */
export const newAddressOf = (secrets: Secrets, { id, newEmailSealed }: KeptNewAddress) =>
  newEmailSealed && secrets.open(newEmailSealed, placeIn(NEW_ACCOUNT_EMAIL, id))

/** An account's own and the new one that waits, as people write them: for its person. */
export function shownAddresses(secrets: Secrets, account: KeptAddress & KeptNewAddress) {
  const newEmail = newAddressOf(secrets, account)
  return {
    email: shownAddress(addressOf(secrets, account)),
    newEmail: newEmail && shownAddress(newEmail),
  }
}
