/** What browser and server agree on about credentials. No I/O here: the heavy part is `app/api/credential/`. */

/** It begins with the commitment that the account keeps. */
export const FIRST_REQUEST_BYTES = 129
/** It proves that commitment. */
export const RENEWAL_BYTES = 161
export const RESPONSE_BYTES = 454
export const PRESENTATION_BYTES = 260
/** Always as many, whatever opens it. */
export const VAULT_BYTES = 1_024
export const KEY_BYTES = 32

/** Where the keys of the issuer are told, the same to everybody. */
export const ISSUER_PATH = '/.well-known/kettle-issuer.json'

/** Who lost the secret begins anew from this day on: six whole months later, at least 180 days. */
export function anewFrom(month: string) {
  const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + 7
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`
}
