/** Finds ratings by their holder keys. */
import sql from 'sql-template-tag'
import { holderOf } from '#app/api/credential/holder-keys.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'

/** The tags of this company's ratings that the keys hold; another company's key finds nothing. */
export async function heldTags({ db }: { db: Database }, companyId: string, keys: string[]) {
  const held = await db.query<{ tag: string }>(
    sql`
    select tag from ratings where holder = any (${holdersOf(keys)}::bytea[]) and company_id = ${companyId}`,
    PREPARED,
  )
  return held.map(({ tag }) => tag)
}

export async function holdsRating({ db }: { db: Database }, id: string, keys: string[]) {
  const held = await db.query(
    sql`select from ratings where id = ${id} and holder = any (${holdersOf(keys)}::bytea[])`,
  )
  return held.length > 0
}

const holdersOf = (keys: string[]) =>
  keys.map((key) => Buffer.from(holderOf(Buffer.from(key, 'base64url'))))
