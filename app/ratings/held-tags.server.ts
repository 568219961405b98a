/** Finds ratings by what only their holders have. */
import sql from 'sql-template-tag'
import { holderOf } from '#app/api/credential/holder-keys.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'

/** The tags of a company's ratings that these keys hold; a key of another company opens nothing here. */
export async function heldTags({ db }: { db: Database }, companyId: string, keys: string[]) {
  const held = await db.query<{ tag: string }>(
    sql`
    select tag from ratings where holder = any (${holdersOf(keys)}::bytea[]) and company_id = ${companyId}`,
    PREPARED,
  )
  return held.map(({ tag }) => tag)
}

/** Whether one of these keys holds the rating. */
export async function holdsRating({ db }: { db: Database }, id: string, keys: string[]) {
  const held = await db.query(
    sql`select from ratings where id = ${id} and holder = any (${holdersOf(keys)}::bytea[])`,
  )
  return held.length > 0
}

const holdersOf = (keys: string[]) =>
  keys.map((key) => Buffer.from(holderOf(Buffer.from(key, 'base64url'))))
