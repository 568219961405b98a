/** Under which keys helpful votes lie: one person's within a company, nobody's beyond it. Decision 40. */
import sql from 'sql-template-tag'
import { asBytea, type Carried } from '#app/api/auth/carry-over.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { ratedCompanies } from './rating-tag.server.ts'

export const helpfulKey = (root: Buffer, companyId: string) =>
  contextKey(root, 'helpful', companyId)

/** The notes that somebody found helpful: nothing says of which companies, so each is tried. */
export async function ownHelpfulNotes(ctx: Ctx): Promise<string[]> {
  const root = rootOf(ctx)
  const notes: string[] = []
  if (!root) return notes
  for await (const companies of ratedCompanies(ctx)) {
    const keys = companies.map((id) => helpfulKey(root, id))
    const rows = await ctx.db.query<{ id: string }>(sql`
      select rating_id as id from rating_votes where key = any (${keys}::bytea[]) order by 1`)
    notes.push(...rows.map(({ id }) => id))
  }
  return notes
}

export const carriedHelpful: Carried = {
  table: 'rating_votes',
  order: { rating_id: 'uuid', author_key: 'text' },
  also: `coalesce((select company_id from public_ratings where id = rating_id),
                  (select company_id from ratings where id = rating_id)) as company_id`,
  carry: ({ author_key: _, company_id, ...vote }, { root }) =>
    company_id === null ? undefined : { ...vote, key: asBytea(helpfulKey(root, company_id)) },
}
