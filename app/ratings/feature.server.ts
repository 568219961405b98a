import sql from 'sql-template-tag'
import type { Feature } from '#app/api/feature.server.ts'
import { REPLY_CHANGED } from '#app/community/replies/reply-commands.server.ts'
import { BADGES_SHOWN } from '#app/companies/badges/shown-badges.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { subscribe } from '#app/platform/database/events.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { removeRatingsOf } from './company-removal.server.ts'
import { carriedHelpful } from './helpful-keys.server.ts'
import { countAllHelpful } from './helpful-votes.server.ts'
import { presentedContract } from './presented/presented.contract.ts'
import { presentedHandlers } from './presented/presented-api.server.ts'
import { publishRatingsOfTheDay } from './publication.server.ts'
import { ratingContract } from './rating.contract.ts'
import { ratingHandlers } from './rating-api.server.ts'
import { countRatingsOf } from './rating-counters.server.ts'
import { forgetRater } from './rating-departure.server.ts'
import { onRatingChange, publishRatings } from './rating-events.server.ts'
import { serveRatingsCsv } from './ratings-csv.server.ts'
import { refreshSurges } from './score.server.ts'

/** Where each rating counts at once, these tell when somebody rated, too. */
const LIVE_NUMBERS = ['rating_months', 'company_stats']

export const ratings: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async (ctx, { companyId }) => ({
      ratings: await removeRatingsOf(ctx, companyId),
    })),
    subscribe(COMPANY_ROWS_MOVED, (ctx, { companyIds, minShown }) =>
      countRatingsOf(ctx.db, companyIds, { today: todayOf(ctx), minShown }),
    ),
    subscribe(BADGES_SHOWN, async ({ db }, { domains }) => {
      const companies = await db.query<{ id: string }>(sql`
        select distinct company_id as id from public_ratings where badge_domain = any (${domains}::text[])`)
      for (const { id } of companies) publishRatings(db, id)
    }),
    subscribe(REPLY_CHANGED, ({ db }, { companyId, threadId }) => {
      if (!threadId) publishRatings(db, companyId)
    }),
  ],
  async routes({ http, bind, db, reading, site, ratings, forgetPages, issuer }) {
    bind(ratingContract, ratingHandlers(ratings))
    bind(presentedContract, presentedHandlers(issuer, ratings))
    if (site.flags.enableCompanies) serveRatingsCsv(http, reading, ratings)
    await onRatingChange(db, forgetPages)
  },
  nightly({ base, db, ratings }) {
    const { batch, minShown } = ratings
    return [
      { name: 'publish ratings', run: () => publishRatingsOfTheDay(base, ratings) },
      {
        name: 'refresh surges',
        run: () => refreshSurges(db, { today: todayOf(base), minShown }),
      },
      { name: 'count helpful votes', run: () => countAllHelpful(db) },
      // A company's rows lie beside each other, so that its page reads few places: whose company a
      // rating is of is no secret.
      ...['ratings', 'public_ratings', ...(batch === 1 ? LIVE_NUMBERS : [])].map((name) => ({
        name: `reorder ${name}`,
        run: () => reorderTable(db, name, { beside: 'company_id' }),
      })),
      { name: 'reorder rating_votes', run: () => reorderTable(db, 'rating_votes') },
    ]
  },
  carried: [carriedHelpful],
  async forget({ accountId, posts }, { base, ratings }) {
    if (accountId) await forgetRater(base, { accountId, posts }, ratings)
  },
}
