/**
 * Recounts the site's counters: finds wrong ones and fixes them. Leaves out numbers that no rows can
 * confirm (views, visitors, sign-ups), numbers that were right on their day and stay (daily and monthly
 * numbers, dashboards), and numbers we recount every hour anyway (the week's comments).
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
 * Counters that don't match their rows. Changes nothing. Only blocks the nightly run, which swaps the
 * tables of ratings and votes, so counting would miss both.
 */
export const counterDrift = (db: Database, settings: ScoreSettings): Promise<Drift[]> =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await db.query(sql`lock table public_ratings, rating_votes in access share mode`)
    return driftOf(db, countersOf(settings))
  })

/** @throws an Error if the site is too busy to hold the locks */
export const repairCounters = (db: Database, settings: ScoreSettings) =>
  recount(db, countersOf(settings))
