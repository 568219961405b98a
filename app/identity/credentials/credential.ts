/** Shared by browser and server. The heavy code is in `app/api/credential/`. */
import { dateText } from '#app/kit/ui/format.ts'

/** Starts with the commitment that the server stores. */
export const FIRST_REQUEST_BYTES = 129
/** The size of a request that also proves that commitment. */
export const RENEWAL_BYTES = 161
export const RESPONSE_BYTES = 454
export const PRESENTATION_BYTES = 260
/** Every backup has this size, whatever opens it. */
export const VAULT_BYTES = 1_024
export const KEY_BYTES = 32
/** A secret and its ratings for another device always have this size before they're sealed. */
export const HANDOVER_TEXT_BYTES = 16_384
/** The sealed text's length, with nonce and tag. */
export const HANDOVER_BYTES = 12 + HANDOVER_TEXT_BYTES + 16
export const HANDOVER_S = 120
/** Comes before the key in the code's address. Browsers don't send this part. */
export const HANDOVER_FRAGMENT = '#bring='

/** The issuer's keys, the same for everyone. */
export const ISSUER_PATH = '/.well-known/kettle-issuer.json'
/** A meta tag in every page with the digest of the issuer's list. */
export const ISSUER_META = 'kettle-issuer'

/** The day from which a lost secret can be replaced: six whole months later, so at least 180 days. */
export function replaceableFrom(month: string) {
  const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + 7
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`
}

export const CREDENTIAL_REFUSALS = {
  otherQuarter: 'This request isn’t for this quarter’s credential',
  otherSecret:
    'This account uses a different secret. Restore it from your other device, or start over.',
  secretElsewhere:
    'Your other device just created a secret for this account. Restore it from there.',
  replaced:
    'You can replace a lost secret once every six months. It’s too soon to replace it again.',
  handoverOver:
    'This code has expired, or it was used already. Show a new one on your other device.',
  noAccount: 'This account doesn’t exist',
  /** @param day such as 2027-01-01 */
  mailboxTaken: (day: string) =>
    `Another account with this mailbox can rate and get badges, or could before it was deleted. This one can from ${dateText(day)}.`,
} as const

/** False without https, where browsers offer no encryption. */
export const canSeal = () => globalThis.crypto?.subtle !== undefined

export const toBase64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export const fromBase64url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )

/** Everyone who logs in gets a secret, so it doesn't say that they rated. */
export const MAY_BE_ELSEWHERE = {
  title: 'You may have ratings on another device',
  description: 'Bring them over to see and change them here.',
  label: 'Bring them over',
}
