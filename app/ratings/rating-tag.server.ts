/** The one thing that ties a rating to a person, and only for whoever holds the site's key. */
import sql from 'sql-template-tag'
import { type CompanyIds, mergedInto } from '#app/companies/merging/merged-companies.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

/** What a person's rating of a company is found by. */
export const ratingTag = (
  { secrets }: Pick<ServerContext, 'secrets'>,
  accountId: string,
  companyId: string,
) => secrets.hash('rating', accountId, companyId)

/** What a person's ratings of a company may be found by: of companies that are part of it by now, too. */
export const ratingTags = (
  ctx: Pick<ServerContext, 'secrets'>,
  accountId: string,
  { all }: Pick<CompanyIds, 'all'>,
) => all.map((id) => ratingTag(ctx, accountId, id))

/** How many companies' tags are made at a time, so that others get their turn. */
const COMPANIES_AT_ONCE = 1_000

/**
 * The tags under which one person may have rated, for all rated companies, some at a time: nothing
 * in the database says which companies those are.
 */
export async function* tagsOf(ctx: Pick<ServerContext, 'db' | 'secrets'>, accountId: string) {
  for await (const companies of ratedCompanies(ctx))
    yield companies.map((id) => ratingTag(ctx, accountId, id))
}

/** The ids of all rated companies and of those that became part of them, some at a time. */
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
