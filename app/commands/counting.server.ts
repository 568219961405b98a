/**
 * Counts again what the site counts along: where a number is wrong, and putting it right. Not what no
 * rows tell (views of companies and jobs, visitors, sign-ups), nor what was right on its day and stays
 * (numbers of days and months, what dashboards told), nor what the next hour counts anew by itself
 * (comments of the week).
 */
import sql from 'sql-template-tag'
import { postCounters } from '#app/community/discussions/posts/post-counters.server.ts'
import { replyCounters } from '#app/community/replies/reply-queries.server.ts'
import { clickCounters, companyCounters } from '#app/companies/company-counters.server.ts'
import { removalCounters } from '#app/moderation/removal-counts.server.ts'
import {
  type Counter,
  type Drift,
  driftOf,
  recount,
} from '#app/platform/database/counter.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { ratingCounters } from '#app/ratings/rating-counters.server.ts'
import type { ScoreSettings } from '#app/ratings/score.server.ts'

const countersOf = (settings: ScoreSettings): Counter[] => [
  ...companyCounters,
  ...postCounters,
  ...removalCounters,
  ...replyCounters,
  ...clickCounters(settings.today),
  ...ratingCounters(settings),
]

/**
 * Where counters and rows differ. Changes nothing, and hinders nobody but the nightly run: that
 * puts other tables in the place of ratings and votes, of which this would see neither.
 */
export const counterDrift = (db: Database, settings: ScoreSettings): Promise<Drift[]> =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await db.query(sql`lock table public_ratings, rating_votes in access share mode`)
    return driftOf(db, countersOf(settings))
  })

/** @throws an Error when the site is too busy to be stopped for that */
export const repairCounters = (db: Database, settings: ScoreSettings) =>
  recount(db, countersOf(settings))
