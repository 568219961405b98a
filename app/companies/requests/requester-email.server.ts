import { addressOf } from '#app/api/auth/addresses.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

export const REQUESTER_EMAIL: SealedColumn = {
  table: 'company_requests',
  column: 'requester_email',
  key: 'id',
  type: 'uuid',
}

interface Requester {
  id: string
  accountId: string | null
  accountSealed: string | null
  /** A visitor's. */
  emailSealed: string | null
}

/** The account's address, or the one a visitor left; null without any. */
export const requesterEmail = (
  secrets: Secrets,
  { id, accountId, accountSealed, emailSealed }: Requester,
) =>
  accountId !== null && accountSealed !== null
    ? addressOf(secrets, { id: accountId, emailSealed: accountSealed })
    : emailSealed && secrets.open(emailSealed, placeIn(REQUESTER_EMAIL, id))
