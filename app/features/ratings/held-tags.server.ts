import sql from 'sql-template-tag'
import { holderOf } from '../../credential/holder-keys.ts'
import type { Database } from '../../server/database.server.ts'

/** The tags of a company's ratings that these keys hold; a key of another company opens nothing here. */
export async function heldTags({ db }: { db: Database }, companyId: string, keys: string[]) {
  const holders = keys.map((key) => Buffer.from(holderOf(Buffer.from(key, 'base64url'))))
  const held = await db.query<{ tag: string }>(sql`
    select tag from ratings where holder = any (${holders}::bytea[]) and company_id = ${companyId}`)
  return held.map(({ tag }) => tag)
}
