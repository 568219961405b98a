/**
 * What links a rating to a person: an account's tag, which only someone with the site's key can compute, or a key that only
 * the credential's holder has.
 */

import sql from 'sql-template-tag'
import { keyHashOf } from '#app/api/credential/holder-keys.ts'
import { type CompanyIds, mergedInto } from '#app/companies/merging/merged-companies.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { NIL_UUID } from '#app/platform/uuid.ts'

export const ratingTag = (
  { secrets }: Pick<ServerContext, 'secrets'>,
  accountId: string,
  companyId: string,
) => secrets.hash('rating', accountId, companyId)

/** Includes the companies merged into it. */
export const ratingTags = (
  ctx: Pick<ServerContext, 'secrets'>,
  accountId: string,
  { all }: Pick<CompanyIds, 'all'>,
) => all.map((id) => ratingTag(ctx, accountId, id))

/** How many tags we compute at a time before we let other requests run. */
const COMPANIES_AT_ONCE = 1_000

/** One person's tags for all rated companies, in batches: nothing in the database says which of them they rated. */
export async function* tagsOf(ctx: Pick<ServerContext, 'db' | 'secrets'>, accountId: string) {
  for await (const companies of ratedCompanies(ctx))
    yield companies.map((id) => ratingTag(ctx, accountId, id))
}

/** All companies that people rated or told interviews of, and those merged into them, in batches. */
export async function* ratedCompanies(ctx: Pick<ServerContext, 'db'>) {
  let after = NIL_UUID
  for (;;) {
    const companies = await ctx.db.query<{ id: string }>(sql`
      select id from companies
       where id > ${after} and (exists (select from ratings where company_id = companies.id)
             or exists (select from public_interviews where company_id = companies.id))
       order by id limit ${COMPANIES_AT_ONCE}`)
    const last = companies.at(-1)
    if (!last) return
    const ids = companies.map(({ id }) => id)
    yield [...ids, ...(await mergedInto(ctx.db, ids)).map(({ id }) => id)]
    after = last.id
  }
}

/**
 * The tags of this company's ratings that these keys find. Another company's key finds nothing.
 * @param which of them, as a condition
 */
export async function tagsByKeys(
  { db }: { db: Database },
  companyId: string,
  keys: string[],
  which = sql`true`,
) {
  const found = await db.query<{ tag: string }>(
    sql`
    select tag from ratings
     where holder_key_hash = any (${keyHashesOf(keys)}::bytea[]) and company_id = ${companyId} and ${which}`,
    PREPARED,
  )
  return found.map(({ tag }) => tag)
}

/**
 * The ratings these keys may remove. The holder's key alone is enough for ratings from before there were removal keys, and
 * for ratings of a merged company. No one can rate that company again, so a recorded removal can't do harm.
 */
export const removableTags = (
  ctx: { db: Database },
  companyId: string,
  { keys, removalKey }: { keys: string[]; removalKey?: string | undefined },
) =>
  tagsByKeys(
    ctx,
    companyId,
    keys,
    sql`(removal_key_hash is null or merged_from is not null
         or removal_key_hash = any (${keyHashesOf(removalKey ? [removalKey] : [])}::bytea[]))`,
  )

/** Whether these keys find this rating, or this interview. */
export async function isRatingOfKeys({ db }: { db: Database }, id: string, keys: string[]) {
  const isIt = sql`id = ${id} and holder_key_hash = any (${keyHashesOf(keys)}::bytea[])`
  const found = await db.query(
    sql`select from ratings where ${isIt} union all select from interviews where ${isIt}`,
  )
  return found.length > 0
}

/** As they're stored. */
export const keyHashesOf = (keys: string[]) =>
  keys.map((key) => Buffer.from(keyHashOf(Buffer.from(key, 'base64url'))))
