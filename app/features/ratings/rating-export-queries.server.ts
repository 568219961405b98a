/** Everything that somebody rated, to take away. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { tagsOf } from './rating-tag.server.ts'

export async function ratingsExport(ctx: Ctx) {
  const { db, actor } = ctx
  const ratings: object[] = []
  if (actor.account)
    for await (const tags of tagsOf(ctx, actor.account.id))
      ratings.push(
        ...(await db.query<object>(sql`
          select company.name as company, company.id as "companyId",
                 to_char(month, 'YYYY-MM') as month, rating.rto, rating.dei,
                 work_life as "workLife", rating.culture, office_days as "officeDays", relation,
                 era, note, note_hidden as "noteHidden", helpful
            from ratings rating join companies company on company.id = rating.company_id
           where tag = any(${tags}::text[]) order by company.id`)),
      )
  const helpfulNotes = await db.query<{ id: string }>(sql`
    select rating_id as id from rating_votes where author_key = ${actor.authorKey} order by 1`)
  return { ratings, helpfulNotes: helpfulNotes.map(({ id }) => id) }
}
