/** E-mail addresses as they are kept: sealed, and found by a keyed hash. Decision 7. */
import type { Secrets } from '../server/secrets.server.ts'

/** The form in which two spellings are one address. */
export const plainAddress = (email: string) => email.trim().toLowerCase()

export const addressHash = (secrets: Secrets, email: string) =>
  secrets.hash('e-mail address', plainAddress(email))

/** The pair of columns that hold an address. */
export const sealedAddress = (secrets: Secrets, email: string) => ({
  hash: addressHash(secrets, email),
  sealed: secrets.seal(plainAddress(email)),
})
