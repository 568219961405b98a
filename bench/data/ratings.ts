/** Ratings of the companies that are there already. */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../app/platform/database/database.server.ts'
import { refreshScores } from '../../app/ratings/score.server.ts'

/** From how many on they are shown, and how many are published together. */
export const shownRatings = { minShown: 1, batch: 5 }

/** Invented in the database, skewed: a few companies are rated by thousands. */
export async function fillRatings(db: Database, count: number) {
  const [first] = await db.query(sql`select from ratings limit 1`)
  if (first) return
  console.error(`Making ${count} ratings, which takes minutes`)
  await db.transaction(async (db) => {
    await db.query(sql`select setseed(0.5), set_config('statement_timeout', '0', true)`)
    await db.query(sql`
      create temp table places on commit drop as
        select id, row_number() over (order by id) as place from companies`)
    await db.query(sql`create index on places (place)`)
    await db.query(sql`
      insert into ratings (company_id, tag, month, rto, dei, work_life, culture, relation, note, note_html)
      select places.id, md5('a' || n) || md5('b' || n), month, rto, nullif(dei, 0), nullif(life, 0),
             nullif(culture, 0), relation, note, note
        from (select n, 1 + floor(power(random(), 4) * (select count(*) from places))::bigint as place,
                     (date '2023-01-01' + (floor(random() * 46) || ' months')::interval)::date as month,
                     1 + floor(random() * 5)::smallint as rto, floor(random() * 6)::smallint as dei,
                     floor(random() * 6)::smallint as life, floor(random() * 6)::smallint as culture,
                     (array['current', 'former', 'candidate', null])[1 + floor(random() * 4)] as relation,
                     case when random() < 0.2 then 'Ask about the desk plan before you sign.' else '' end
                       as note
                from generate_series(1, ${count}::integer) n) given
        join places using (place)`)
    await db.query(sql`
      insert into public_ratings
        (id, company_id, month, rto, dei, work_life, culture, relation, note, note_html)
      select id, company_id, month, rto, dei, work_life, culture, relation, note, note_html
        from ratings order by company_id, gen_random_uuid()`)
    await db.query(sql`
      insert into rating_months (company_id, month, ratings, tenths, rto, dei, work_life, culture)
      select company_id, month, count(*),
             sum(round(10.0 * (rto + coalesce(dei, 0) + coalesce(work_life, 0) + coalesce(culture, 0))
                       / num_nonnulls(rto, dei, work_life, culture))),
             array[count(*) filter (where rto = 1), count(*) filter (where rto = 2),
                   count(*) filter (where rto = 3), count(*) filter (where rto = 4),
                   count(*) filter (where rto = 5)],
             array[count(*) filter (where dei = 1), count(*) filter (where dei = 2),
                   count(*) filter (where dei = 3), count(*) filter (where dei = 4),
                   count(*) filter (where dei = 5)],
             array[count(*) filter (where work_life = 1), count(*) filter (where work_life = 2),
                   count(*) filter (where work_life = 3), count(*) filter (where work_life = 4),
                   count(*) filter (where work_life = 5)],
             array[count(*) filter (where culture = 1), count(*) filter (where culture = 2),
                   count(*) filter (where culture = 3), count(*) filter (where culture = 4),
                   count(*) filter (where culture = 5)]
        from ratings group by company_id, month`)
    await refreshScores(db, sql`true`, {
      today: new Date().toISOString().slice(0, 10),
      ...shownRatings,
    })
  })
  for (const table of ['ratings', 'public_ratings', 'rating_months', 'company_stats'])
    await db.query(raw(`vacuum (analyze) ${table}`))
}
