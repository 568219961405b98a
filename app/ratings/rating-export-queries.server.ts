import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ownHelpfulNotes } from './helpful-votes.server.ts'
import { hasStars, withShown } from './publication.server.ts'
import { tagsOf } from './rating-tag.server.ts'

export async function ratingsExport(ctx: Ctx) {
  const { db, actor } = ctx
  const ratings: object[] = []
  if (actor.account)
    for await (const tags of tagsOf(ctx, actor.account.id))
      ratings.push(
        ...(await db.query<object>(sql`
          select company.name as company, company.id as "companyId",
                 to_char(rating.month, 'YYYY-MM') as month, rating.rto, rating.dei,
                 rating.work_life as "workLife", rating.culture,
                 rating.office_days as "officeDays", rating.relation,
                 rating.era, rating.note, shown.note_hidden as "noteHidden",
                 coalesce(shown.helpful, 0) as helpful, shown.id is not null as "isPublic"
            from ${withShown} join companies company on company.id = rating.company_id
           where tag = any(${tags}::text[]) and ${hasStars} order by company.id`)),
      )
  return { ratings, helpfulNotes: await ownHelpfulNotes(ctx) }
}
