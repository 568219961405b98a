import type { Feature } from '../../api/feature.server.ts'
import { DAY_MS, dayOf } from '../../server/days.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { REPLY_CHANGED } from '../replies/reply-commands.server.ts'
import { removeRatingsOf } from './company-removal.server.ts'
import { ratingContract } from './rating.contract.ts'
import { ratingHandlers } from './rating-api.server.ts'
import { forgetRater } from './rating-departure.server.ts'
import { onRatingChange, publishRatings } from './rating-events.server.ts'
import { serveRatingsCsv } from './ratings-csv.server.ts'
import { reorderRatings } from './reorder.server.ts'
import { refreshSurges } from './score.server.ts'

export const ratings: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async (ctx, { companyId }) => ({
      ratings: await removeRatingsOf(ctx, companyId),
    })),
    subscribe(REPLY_CHANGED, ({ db }, { companyId, threadId }) => {
      if (!threadId) publishRatings(db, companyId)
    }),
  ],
  async routes({ http, bind, db, reading, site, ratings, forgetPages }) {
    bind(ratingContract, ratingHandlers(ratings))
    if (site.flags.enableCompanies) serveRatingsCsv(http, reading, ratings)
    await onRatingChange(db, forgetPages)
  },
  jobs({ jobs, base: { now }, ratings: { minShown } }) {
    jobs.every('shuffle-ratings', DAY_MS, reorderRatings)
    jobs.every('refresh-surges', DAY_MS, (db) =>
      refreshSurges(db, { today: dayOf(now()), minShown }),
    )
  },
  async forget({ accountId, posts }, { base, ratings }) {
    if (accountId) await forgetRater(base, { accountId, posts }, ratings)
  },
}
