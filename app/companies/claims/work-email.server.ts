/** A work address, while its claim waits: sealed, and opened in its own row only. */
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'

export const WORK_EMAIL: SealedColumn = {
  table: 'employer_claims',
  column: 'work_email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the claim */
export const workEmailPlace = (id: string) => placeIn(WORK_EMAIL, id)
