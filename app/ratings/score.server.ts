/** The scores people see, updated in each publication's transaction. */
import sql, { type Sql } from 'sql-template-tag'
import { SURGE_DAYS } from '#app/companies/own-rating/rating-buckets.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { SURGE_FACTOR, SURGE_MIN } from './rating.ts'

/** Mean of one rating's categories, to one decimal. Spec §5. */
export const average = sql`
  round((coalesce(rto, 0) + coalesce(dei, 0) + coalesce(work_life, 0) + coalesce(culture, 0))::numeric
        / num_nonnulls(rto, dei, work_life, culture), 1)`

export const tenths = sql`(10 * ${average})`

/**
 * Marks months with unusually many ratings: at least ten, and five times the mean of the previous twelve months. A new
 * company has no usual number. @param months those that just gained ratings
 */
export const markSurges = (
  db: Database,
  { companyId, months, today }: { companyId: string; months: string[]; today: string },
) =>
  db.query(
    sql`
    update rating_months surging set surge_since = ${today}::date
     where company_id = ${companyId} and month = any (${months}::date[]) and surge_since is null
       and ratings >= ${SURGE_MIN} and ratings >= ${SURGE_FACTOR} * (
         select sum(ratings) / 12.0 from rating_months usual
          where usual.company_id = ${companyId} and usual.ratings > 0 and usual.month < surging.month
            and usual.month >= surging.month - interval '12 months')`,
    PREPARED,
  )

/** `weightOf` in SQL, in thirtieths. */
export const weight = (today: string) => sql`
  case when surge_since is null then ${SURGE_DAYS}::integer
       else least(${SURGE_DAYS}::integer, greatest(1, ${today}::date - surge_since + 1)) end`

const categoryMean = (column: Sql) => sql`
  sum(w * star_sum(${column}))::float8 / nullif(sum(w * star_count(${column})), 0)`

export interface ScoreSettings {
  today: string
  /** With fewer ratings, we show no score. */
  minShown: number
}

/** @param months a query of `rating_months` rows */
export const madeScores = (months: Sql, { today, minShown }: ScoreSettings) => {
  const shown = (number: Sql) => sql`case when ratings >= ${minShown} then ${number} end`
  return sql`
    select company_id, ratings, coalesce(${shown(sql`score`)}, 0) as score,
           ${shown(sql`rto`)} as rto, ${shown(sql`dei`)} as dei,
           ${shown(sql`work_life`)} as work_life, ${shown(sql`culture`)} as culture
      from (
        select company_id, sum(ratings)::integer as ratings,
               sum(w * tenths)::float8 / nullif(10 * sum(w * ratings), 0) as score,
               ${categoryMean(sql`rto`)} as rto, ${categoryMean(sql`dei`)} as dei,
               ${categoryMean(sql`work_life`)} as work_life,
               ${categoryMean(sql`culture`)} as culture
          from (select *, ${weight(today)} as w from (${months}) given) months
         group by company_id) means`
}

/** @param which a condition on `rating_months` */
export const refreshScores = (db: Database, which: Sql, settings: ScoreSettings) =>
  db.query(scoresUpdate(sql`select * from rating_months where ${which}`, settings))

/** Prepared for one company, because planning takes longer than running it. */
export const refreshScore = (db: Database, companyId: string, settings: ScoreSettings) =>
  db.query(
    scoresUpdate(sql`select * from rating_months where company_id = ${companyId}`, settings),
    PREPARED,
  )

export const scoresUpdate = (months: Sql, settings: ScoreSettings) => sql`
  update company_stats stats
     set ratings = made.ratings, score = made.score, rto = made.rto, dei = made.dei,
         work_life = made.work_life, culture = made.culture
    from (${madeScores(months, settings)}) made
   where stats.company_id = made.company_id`

/** Runs daily, because a surge counts a little more each day. */
export async function refreshSurges(db: Database, settings: ScoreSettings) {
  await refreshScores(
    db,
    sql`company_id in (
      select company_id from rating_months
       where surge_since >= ${settings.today}::date - ${SURGE_DAYS + 1}::integer)`,
    settings,
  )
}

/** Call this at startup, because the setting may have changed. */
export const applyMinShown = (db: Database, settings: ScoreSettings) =>
  refreshScores(
    db,
    sql`company_id in (
      select company_id from company_stats
       where ratings > 0 and (score > 0) <> (ratings >= ${settings.minShown}))`,
    settings,
  )
