/** The address of whoever asked for a company: of their account, or what a visitor left. */
import { placeIn, type SealedColumn } from '../../server/sealed-columns.server.ts'
import type { Secrets } from '../../server/secrets.server.ts'

export const REQUESTER_EMAIL: SealedColumn = {
  table: 'company_requests',
  column: 'requester_email',
  key: 'id',
  type: 'uuid',
}

interface Requester {
  id: string
  /** Of the account, if there is one. */
  accountSealed: string | null
  /** What a visitor left. */
  emailSealed: string | null
}

/** Null where nobody left one. */
export const requesterEmail = (secrets: Secrets, { id, accountSealed, emailSealed }: Requester) =>
  accountSealed !== null
    ? secrets.open(accountSealed)
    : emailSealed && secrets.open(emailSealed, placeIn(REQUESTER_EMAIL, id))
