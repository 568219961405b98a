/** The address of whoever asked for a company: of their account, or what a visitor left. */
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
  /** Of the account, if there is one. */
  accountId: string | null
  accountSealed: string | null
  /** What a visitor left. */
  emailSealed: string | null
}

/** Null where nobody left one. */
export const requesterEmail = (
  secrets: Secrets,
  { id, accountId, accountSealed, emailSealed }: Requester,
) =>
  accountId !== null && accountSealed !== null
    ? addressOf(secrets, { id: accountId, emailSealed: accountSealed })
    : emailSealed && secrets.open(emailSealed, placeIn(REQUESTER_EMAIL, id))
