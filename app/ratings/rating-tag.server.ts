/** The only thing that ties a rating to a person, and only for someone with the site's key. */
import sql from 'sql-template-tag'
import { type CompanyIds, mergedInto } from '#app/companies/merging/merged-companies.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

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

/** Tags made at a time, so that other requests get their turn. */
const COMPANIES_AT_ONCE = 1_000

/** One person's tags for all rated companies, in batches: nothing in the database says which of them they rated. */
export async function* tagsOf(ctx: Pick<ServerContext, 'db' | 'secrets'>, accountId: string) {
  for await (const companies of ratedCompanies(ctx))
    yield companies.map((id) => ratingTag(ctx, accountId, id))
}

/** All rated companies and those merged into them, in batches. */
export async function* ratedCompanies(ctx: Pick<ServerContext, 'db'>) {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const companies = await ctx.db.query<{ id: string }>(sql`
      select id from companies
       where id > ${after} and exists (select from ratings where company_id = companies.id)
       order by id limit ${COMPANIES_AT_ONCE}`)
    const last = companies.at(-1)
    if (!last) return
    const ids = companies.map(({ id }) => id)
    yield [...ids, ...(await mergedInto(ctx.db, ids)).map(({ id }) => id)]
    after = last.id
  }
}
