/** The address that an invitation goes to: sealed in its row, and found by a hash of its own kind. */

import type { SignedIn } from '#app/api/auth/actor.ts'
import { addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

export const INVITED_EMAIL: SealedColumn = {
  table: 'seat_invitations',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the invitation */
export const invitedPlace = (id: string) => placeIn(INVITED_EMAIL, id)

/** Without the site's key nobody finds the account that it is about: the accounts' hash is another one. */
export const invitedHash = (secrets: Secrets, email: string) =>
  secrets.hash('seat invitation', plainAddress(email))

/** What an invitation of this account has. An address that nobody confirmed could be anybody's. */
export const ownInvitedHash = (secrets: Secrets, account: SignedIn) =>
  account.isEmailConfirmed ? invitedHash(secrets, addressOf(secrets, account)) : null
