/** Recomputes the counters of companies from what they count, to find drift and to mend it. */
import sql, { type Sql } from 'sql-template-tag'
import { type Database, isDatabaseError } from '../../server/database.server.ts'
import { madeScores, refreshScores } from './score.server.ts'

export interface Drift {
  company: string
  /** Such as "ratings of 2026-03". */
  counter: string
  kept: string
  counted: string
}

interface Settings {
  today: string
  minShown: number
}

const starsIn = (column: Sql) => sql`
  array[count(*) filter (where ${column} = 1), count(*) filter (where ${column} = 2),
        count(*) filter (where ${column} = 3), count(*) filter (where ${column} = 4),
        count(*) filter (where ${column} = 5)]::integer[]`

/** What rating_months holds, made anew from the rows of ratings. */
const countedMonths = sql`
  select company_id, month, count(*)::integer as ratings,
         sum(10 * round((coalesce(rto, 0) + coalesce(dei, 0) + coalesce(work_life, 0)
                         + coalesce(culture, 0))::numeric
                        / num_nonnulls(rto, dei, work_life, culture), 1))::integer as tenths,
         ${starsIn(sql`rto`)} as rto, ${starsIn(sql`dei`)} as dei,
         ${starsIn(sql`work_life`)} as work_life, ${starsIn(sql`culture`)} as culture
    from ratings group by company_id, month`

const monthValues = (of: Sql) => sql`
  concat_ws(' ', coalesce(${of}.ratings, 0), coalesce(${of}.tenths, 0),
            coalesce(${of}.rto, '{0,0,0,0,0}'), coalesce(${of}.dei, '{0,0,0,0,0}'),
            coalesce(${of}.work_life, '{0,0,0,0,0}'), coalesce(${of}.culture, '{0,0,0,0,0}'))`

/** To nine decimals: sums of fractions differ by their order, far behind. */
const scoreValues = (of: Sql) => {
  const number = (value: Sql) => sql`round(coalesce(${value}, 0)::numeric, 9)`
  return sql`
    concat_ws(' ', coalesce(${of}.ratings, 0), ${number(sql`${of}.score`)},
              ${number(sql`${of}.rto`)}, ${number(sql`${of}.dei`)},
              ${number(sql`${of}.work_life`)}, ${number(sql`${of}.culture`)})`
}

/** What is said about each company, made anew from threads and comments. */
const countedPosts = sql`
  select company_id, count(*)::integer as threads, coalesce(sum(said), 0)::integer as comments
    from (select thread.company_id, (select count(*) from comments
                                      where thread_id = thread.id and not is_deleted) as said
            from threads thread where thread.company_id is not null) thread
   group by company_id`

/**
 * Where counters and rows differ. Changes nothing, and hinders nobody but the daily shuffle: that
 * puts another table in the place of ratings, of which this would see neither.
 */
export const counterDrift = (db: Database, settings: Settings): Promise<Drift[]> =>
  db.transaction(async (db) => {
    await db.query(sql`lock table ratings in access share mode`)
    // One statement, so one moment: what people do meanwhile is no drift.
    return db.query<Drift>(sql`
      with drift as (
        select company_id, 'ratings of ' || to_char(month, 'YYYY-MM') as counter,
               ${monthValues(sql`kept`)} as kept, ${monthValues(sql`counted`)} as counted
          from rating_months kept full join (${countedMonths}) counted using (company_id, month)
        union all
        select company_id, 'threads and comments', concat_ws(' ', kept.threads, kept.comments),
               concat_ws(' ', coalesce(counted.threads, 0), coalesce(counted.comments, 0))
          from company_stats kept left join (${countedPosts}) counted using (company_id)
        union all
        select company_id, 'scores', ${scoreValues(sql`kept`)},
               -- What a surge sways is made anew once a day: yesterday's number is right until then.
               case when ${scoreValues(sql`kept`)} = ${scoreValues(sql`before`)}
                    then ${scoreValues(sql`kept`)} else ${scoreValues(sql`made`)} end
          from company_stats kept
          left join (${madeScores(sql`select * from rating_months`, settings)}) made using (company_id)
          left join (${madeScores(sql`select * from rating_months`, { ...settings, today: dayBefore(settings.today) })}) before
                 using (company_id))
      select company.name as company, counter, kept, counted
        from drift join companies company on company.id = drift.company_id
       where kept <> counted order by company.name, counter`)
  })

/**
 * Makes all counters anew from the rows. Whoever wants to write waits meanwhile.
 * @throws an Error when the site is too busy to be held still for that
 */
export async function mendCounters(db: Database, settings: Settings) {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction((db) => countAnew(db, settings))
    } catch (error) {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE) || tried === TRIES) throw error
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const TRIES = 20

async function countAnew(db: Database, settings: Settings) {
  // Gives up before the database would have to end somebody else's transaction for it.
  await db.query(sql`set local lock_timeout = '500ms'`)
  await db.query(
    sql`lock table threads, comments, ratings, rating_months in share row exclusive mode`,
  )
  await countRatingsAnew(db, settings)
  await db.query(sql`
    update company_stats stats
       set threads = coalesce(counted.threads, 0), comments = coalesce(counted.comments, 0)
      from company_stats kept left join (${countedPosts}) counted using (company_id)
     where stats.company_id = kept.company_id
       and (kept.threads, kept.comments)
           <> (coalesce(counted.threads, 0), coalesce(counted.comments, 0))`)
}

/** The months from the rows, the scores from the months. Nobody else may write meanwhile. */
export async function countRatingsAnew(db: Database, settings: Settings) {
  await db.query(sql`
    insert into rating_months (company_id, month, ratings, tenths, rto, dei, work_life, culture)
    ${countedMonths}
    on conflict (company_id, month) do update
      set ratings = excluded.ratings, tenths = excluded.tenths, rto = excluded.rto,
          dei = excluded.dei, work_life = excluded.work_life, culture = excluded.culture`)
  await db.query(sql`
    update rating_months kept
       set ratings = 0, tenths = 0, rto = default, dei = default, work_life = default,
           culture = default
     where not exists (
       select from ratings where company_id = kept.company_id and month = kept.month)`)
  await refreshScores(db, sql`true`, settings)
  await db.query(sql`
    update company_stats
       set ratings = 0, score = 0, rto = null, dei = null, work_life = null, culture = null
     where ratings > 0 and not exists (
       select from rating_months where company_id = company_stats.company_id)`)
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
