/**
 * Codes that we email and people type: six characters that can't be mistaken for each other (Crockford's base
 * 32).
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LENGTH = 6

/** @param hash base64url, made with a secret key. The code has thirty of its bits. */
export const mailCodeOf = (hash: string) =>
  [...hash.slice(0, LENGTH)]
    .map((sign) => ALPHABET[BASE64URL.indexOf(sign) % ALPHABET.length])
    .join('')

/** A code in two groups, as the email shows it. */
export const groupedMailCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

/** How a form reads a code. `tidy` accepts any case, blanks and dashes. O counts as 0, I and L as 1. */
export const MAIL_CODE = {
  length: LENGTH,
  inputMode: 'text',
  tidy: (typed: string) =>
    typed
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll('O', '0')
      .replace(/[IL]/g, '1')
      .replace(/[^\dA-Z]/g, '')
      .slice(0, LENGTH),
  problem: (code: string) =>
    code.length === LENGTH ? undefined : `Enter all ${LENGTH} characters of the code`,
} as const
