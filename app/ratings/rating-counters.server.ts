import sql, { type Sql } from 'sql-template-tag'
import type { Counter } from '#app/platform/database/counter.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import {
  madeScores,
  refreshScores,
  type ScoreSettings,
  scoresUpdate,
  tenths,
} from './score.server.ts'

const starsIn = (column: Sql) => sql`
  array[count(*) filter (where ${column} = 1), count(*) filter (where ${column} = 2),
        count(*) filter (where ${column} = 3), count(*) filter (where ${column} = 4),
        count(*) filter (where ${column} = 5)]::integer[]`

/** What rating_months should hold. */
const countedMonths = monthsWhere(sql`true`)

function monthsWhere(which: Sql) {
  return sql`
  select company_id, month, count(*)::integer as ratings,
         sum(${tenths})::integer as tenths,
         ${starsIn(sql`rto`)} as rto, ${starsIn(sql`dei`)} as dei,
         ${starsIn(sql`work_life`)} as work_life, ${starsIn(sql`culture`)} as culture
    from public_ratings where ${which} group by company_id, month`
}

const monthValues = (of: Sql) => sql`
  concat_ws(' ', coalesce(${of}.ratings, 0), coalesce(${of}.tenths, 0),
            coalesce(${of}.rto, '{0,0,0,0,0}'), coalesce(${of}.dei, '{0,0,0,0,0}'),
            coalesce(${of}.work_life, '{0,0,0,0,0}'), coalesce(${of}.culture, '{0,0,0,0,0}'))`

/** Rounded to nine decimals, because the last digits of sums of fractions depend on their order. */
const scoreValues = (of: Sql) => {
  const number = (value: Sql) => sql`round(coalesce(${value}, 0)::numeric, 9)`
  return sql`
    concat_ws(' ', coalesce(${of}.ratings, 0), ${number(sql`${of}.score`)},
              ${number(sql`${of}.rto`)}, ${number(sql`${of}.dei`)},
              ${number(sql`${of}.work_life`)}, ${number(sql`${of}.culture`)})`
}

/** Recounts months from rows, and scores from months. No one else may write meanwhile. */
export async function recountRatings(db: Database, settings: ScoreSettings) {
  for (const statement of scoreRecounts(settings)) await db.query(statement)
}

const monthRecounts = recounted(sql`true`)

/** @param which a condition that works for both `public_ratings` and `rating_months kept` */
function recounted(which: Sql) {
  return [
    sql`
    insert into rating_months (company_id, month, ratings, tenths, rto, dei, work_life, culture)
    ${monthsWhere(which)}
    on conflict (company_id, month) do update
      set ratings = excluded.ratings, tenths = excluded.tenths, rto = excluded.rto,
          dei = excluded.dei, work_life = excluded.work_life, culture = excluded.culture`,
    sql`
    update rating_months stored
       set ratings = 0, tenths = 0, rto = default, dei = default, work_life = default,
           culture = default
     where ${which} and not exists (
       select from public_ratings where company_id = stored.company_id and month = stored.month)`,
  ]
}

/** Recounts companies whose ratings moved in a merge. Sums what's public, without publishing anything. */
export async function countRatingsOf(db: Database, companies: string[], settings: ScoreSettings) {
  const which = sql`company_id = any (${companies}::uuid[])`
  for (const statement of recounted(which)) await db.query(statement)
  await db.query(sql`
    update company_stats
       set ratings = 0, score = 0, rto = null, dei = null, work_life = null, culture = null
     where ${which}`)
  await refreshScores(db, which, settings)
}

const scoreRecounts = (settings: ScoreSettings) => [
  ...monthRecounts,
  scoresUpdate(sql`select * from rating_months`, settings),
  sql`
    update company_stats
       set ratings = 0, score = 0, rto = null, dei = null, work_life = null, culture = null
     where (ratings <> 0 or score <> 0 or num_nonnulls(rto, dei, work_life, culture) > 0)
       and not exists (select from rating_months where company_id = company_stats.company_id)`,
]

const months: Counter = {
  compared: sql`
    select company.name, 'ratings of ' || to_char(month, 'YYYY-MM'), ${monthValues(sql`stored`)},
           ${monthValues(sql`counted`)}
      from rating_months stored full join (${countedMonths}) counted using (company_id, month)
      join companies company on company.id = company_id`,
  recount: monthRecounts,
  tables: ['companies', 'public_ratings', 'rating_months'],
}

function scores(settings: ScoreSettings): Counter {
  const made = (settings: ScoreSettings) => madeScores(sql`select * from rating_months`, settings)
  const yesterday = { ...settings, today: dayBefore(settings.today) }
  return {
    compared: sql`
      select company.name, 'scores', ${scoreValues(sql`stored`)},
             -- Surges are reweighed once a day, so yesterday's number is right until then.
             case when ${scoreValues(sql`stored`)} = ${scoreValues(sql`before`)}
                  then ${scoreValues(sql`stored`)} else ${scoreValues(sql`made`)} end
        from company_stats stored join companies company on company.id = stored.company_id
        left join (${made(settings)}) made using (company_id)
        left join (${made(yesterday)}) before using (company_id)`,
    recount: scoreRecounts(settings),
    tables: ['companies', 'company_stats', 'public_ratings', 'rating_months'],
  }
}

const helpfulVotes = sql`
  select rating_id as id, count(*)::integer as helpful from rating_votes
   where is_counted group by rating_id`

const helpful: Counter = {
  compared: sql`
    select 'A note about ' || company.name, 'helpful', stored.helpful::text,
           coalesce(counted.helpful, 0)::text
      from public_ratings stored join companies company on company.id = stored.company_id
      left join (${helpfulVotes}) counted on counted.id = stored.id`,
  recount: [
    sql`
    update public_ratings stored set helpful = coalesce(counted.helpful, 0)
      from public_ratings rating left join (${helpfulVotes}) counted using (id)
     where stored.id = rating.id and stored.helpful <> coalesce(counted.helpful, 0)`,
  ],
  tables: ['public_ratings', 'rating_votes'],
}

/** Months first, because scores are computed from them. */
export const ratingCounters = (settings: ScoreSettings): Counter[] => [
  months,
  scores(settings),
  helpful,
]

const dayBefore = (day: string) => dayOf(new Date(Date.parse(day) - DAY_MS))
