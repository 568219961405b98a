/** The address that came with a message: sealed, and opened in its own row only. */
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'

export const CONTACT_EMAIL: SealedColumn = {
  table: 'contact_messages',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the message */
export const contactEmailPlace = (id: string) => placeIn(CONTACT_EMAIL, id)
