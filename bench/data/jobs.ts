/** A million invented open jobs, made in the database and skewed as real ones are. */
import sql, { raw } from 'sql-template-tag'
import { UNITS_PER_DOLLAR } from '../../app/jobs/search/currency-worth.ts'
import { locationKeys } from '../../app/jobs/search/job-location.ts'
import { foldText } from '../../app/kit/writing/text.ts'
import type { Database } from '../../app/platform/database/database.server.ts'
import { createRandom, popularFirst, type Random } from './random.ts'
import { SMALL_WORDS, TALKED_WORDS } from './thread-words.ts'

/** City, country, currency, and what is paid there beside what is paid in the first one. */
const CITIES: [string, string, string, number][] = [
  ...([
    ['New York', 'US', 'USD', 1],
    ['London', 'GB', 'GBP', 0.75],
    ['San Francisco', 'US', 'USD', 1.2],
    ['Bengaluru', 'IN', 'INR', 0.28],
    ['Berlin', 'DE', 'EUR', 0.7],
    ['Chicago', 'US', 'USD', 0.9],
    ['Toronto', 'CA', 'CAD', 0.68],
    ['Paris', 'FR', 'EUR', 0.65],
    ['Austin', 'US', 'USD', 0.85],
    ['München', 'DE', 'EUR', 0.75],
    ['Sydney', 'AU', 'AUD', 0.75],
    ['Amsterdam', 'NL', 'EUR', 0.7],
    ['Mumbai', 'IN', 'INR', 0.26],
    ['Singapore', 'SG', 'SGD', 0.7],
    ['Dublin', 'IE', 'EUR', 0.72],
    ['Madrid', 'ES', 'EUR', 0.48],
    ['Zürich', 'CH', 'CHF', 1.25],
    ['Warszawa', 'PL', 'PLN', 0.45],
    ['Stockholm', 'SE', 'SEK', 0.62],
    ['Tokyo', 'JP', 'JPY', 0.55],
    ['São Paulo', 'BR', 'BRL', 0.3],
    ['Wien', 'AT', 'EUR', 0.65],
    ['København', 'DK', 'DKK', 0.75],
    ['Ciudad de México', 'MX', 'MXN', 0.32],
    ['Oslo', 'NO', 'NOK', 0.72],
    ['Lisboa', 'PT', 'EUR', 0.4],
    ['Cape Town', 'ZA', 'ZAR', 0.28],
    ['Auckland', 'NZ', 'NZD', 0.6],
    ['Praha', 'CZ', 'CZK', 0.42],
    ['Jakarta', 'ID', 'IDR', 0.15],
    ['Reykjavík', 'IS', 'ISK', 0.75],
    ['Tallinn', 'EE', 'EUR', 0.45],
  ] satisfies [string, string, string, number][]),
  // The long tail: towns that a few jobs are in.
  ...Array.from({ length: 3_000 }, (_, n): [string, string, string, number] => [
    `Town ${n}`,
    n % 3 ? 'US' : 'DE',
    n % 3 ? 'USD' : 'EUR',
    0.6,
  ]),
]

/** What it is, in dollars a year in the first city; the most common first. */
const ROLES: [string, number][] = [
  ['Software Engineer', 130_000],
  ['Sales Manager', 85_000],
  ['Nurse', 72_000],
  ['Warehouse Worker', 38_000],
  ['Accountant', 68_000],
  ['Data Analyst', 80_000],
  ['Customer Support Agent', 42_000],
  ['Project Manager', 90_000],
  ['Barista', 30_000],
  ['Driver', 45_000],
  ['Product Manager', 140_000],
  ['Teacher', 55_000],
  ['Electrician', 60_000],
  ['Marketing Lead', 95_000],
  ['Mechanical Engineer', 92_000],
  ['Recruiter', 62_000],
  ['Pharmacist', 115_000],
  ['Physician', 230_000],
  ['Chief Financial Officer', 290_000],
  ['Actuary', 120_000],
  ['Sommelier', 48_000],
]
const LEVELS = [
  '',
  '',
  '',
  'Senior ',
  'Senior ',
  'Junior ',
  'Lead ',
  'Night ',
  'Assistant ',
  'Regional ',
]
export const TAGS = [
  'SQL',
  'React',
  'Python',
  'Excel',
  'Forklift',
  'German',
  'Kubernetes',
  'Shift work',
  'COBOL',
]

const PARAGRAPHS = 6_000
const WORDS = 45
const TOGETHER = 50_000
const cityOf = popularFirst(CITIES, 1)
const roleOf = popularFirst(ROLES, 0.7)
const tagOf = popularFirst(TAGS, 0.8)

/** Does nothing where there are jobs already. `companies` must be there. */
export async function fillJobs(db: Database, count: number, seed: number) {
  const [first] = await db.query(sql`select from job_postings limit 1`)
  if (first) return
  console.error(`Making ${count} jobs, which takes minutes for a million`)
  await db.transaction(async (db) => {
    await db.query(sql`
      select setseed(0.5), set_config('statement_timeout', '0', true),
             set_config('maintenance_work_mem', '1GB', true), set_config('work_mem', '64MB', true)`)
    const random = createRandom(seed, 'jobs')
    await makeIngredients(db, random)
    const recreate = await putIndexesAside(db)
    await db.query(raw('alter table job_postings disable trigger job_entered'))
    for (let made = 0; made < count; made += TOGETHER)
      await makeJobs(db, made, Math.min(count, made + TOGETHER), count)
    await db.query(sql`
      insert into job_entries (key, remote_policy, employment_type, posted_day, salary_worth, job_id,
                               salary_currency, yearly_maximum, valid_through)
      select key, remote_policy, employment_type, posted_date - date '1970-01-01', salary_worth, id,
             salary_currency, yearly_maximum, valid_through
        from job_postings, unnest(
               array['*', 'c:' || salary_currency] || place_keys
               || array(select place || ' c:' || salary_currency from unnest(place_keys) place)) key`)
    await db.query(raw('alter table job_postings enable trigger job_entered'))
    for (const statement of recreate) await db.query(raw(statement))
  })
  for (const table of ['job_postings', 'job_entries'])
    await db.query(raw(`vacuum (analyze) ${table}`))
}

/** From which jobs are put together: places and roles as often as they are common, and texts. */
async function makeIngredients(db: Database, random: Random) {
  const places = Array.from({ length: 20_000 }, (_, n) => {
    const [city, country, currency, level] = cityOf(random)
    const units = UNITS_PER_DOLLAR[currency] ?? 1
    return { n, city, country, currency, level, units, keys: locationKeys([{ city, country }], []) }
  })
  const roles = Array.from({ length: 2_000 }, (_, n) => {
    const [name, pay] = roleOf(random)
    const level = random.pick(LEVELS)
    const rise = level === 'Senior ' ? 1.3 : level === 'Lead ' ? 1.5 : level === 'Junior ' ? 0.7 : 1
    const tags = Array.from({ length: random.below(4) }, () => tagOf(random))
    return { n, title: `${level}${name}`, pay: pay * rise, tags: [...new Set(tags)] }
  })
  const word = () =>
    random.chance(0.4)
      ? random.pick(SMALL_WORDS)
      : (TALKED_WORDS[Math.floor(TALKED_WORDS.length ** random.next()) - 1] as string)
  const texts = Array.from({ length: PARAGRAPHS }, (_, n) => ({
    n,
    text: Array.from({ length: WORDS }, word).join(' '),
  }))
  await db.query(sql`
    create temp table made_places on commit drop as
      select * from json_to_recordset(${JSON.stringify(places)}::json)
        as made(n integer, city text, country text, currency text, level float8, units float8, keys text[])`)
  await db.query(sql`
    create temp table made_roles on commit drop as
      select * from json_to_recordset(${JSON.stringify(roles)}::json)
        as made(n integer, title text, pay float8, tags text[])`)
  await db.query(sql`
    create temp table made_texts on commit drop as
      select * from json_to_recordset(${JSON.stringify(texts)}::json) as made(n integer, text text)`)
  await db.query(sql`
    create temp table made_companies on commit drop as
      select id, name, row_number() over (order by id) - 1 as n from companies`)
  for (const table of ['places', 'roles', 'texts', 'companies']) {
    await db.query(raw(`create index on made_${table} (n)`))
    await db.query(raw(`analyze made_${table}`))
  }
}

/**
 * In the order in which they were posted, as they come to be in a table; newer ones are more; a quarter
 * is remote; hours are paid where little is paid.
 */
const makeJobs = (db: Database, from: number, to: number, count: number) =>
  db.query(sql`
    insert into job_postings
      (id, company_id, company_name, title, description, html, excerpt, places, place_keys,
       remote_policy, hybrid_days, remote_regions, employment_type, salary_minimum, salary_maximum,
       salary_currency, salary_period, yearly_minimum, yearly_maximum, salary_worth, tags, apply_link,
       status, posted_date, valid_through, idempotency_key)
    select gen_random_uuid(), company.id, company.name, role.title,
           one.text || '. ' || two.text || ' ' || rare, '<p>' || one.text || '</p>', left(one.text, 200),
           case when policy = 'remote' then '[]'::jsonb
                else jsonb_build_array(jsonb_build_object('city', city, 'country', country)) end,
           case when policy = 'remote' then case when is_anywhere then '{}' else array['k:' || country] end
                else keys end,
           policy, case when policy = 'hybrid' then 3 end,
           case when policy = 'remote' and not is_anywhere then array[country] else '{}'::text[] end,
           type, case when is_hourly then round((top * 0.8 / 2080)::numeric, 2) else round(top * 0.8)::numeric end,
           case when is_hourly then round((top / 2080)::numeric, 2) else round(top)::numeric end,
           currency, case when is_hourly then 'hour' else 'year' end, round(top * 0.8), round(top),
           round(top / units), role.tags, 'https://example.com/jobs', 'open', posted, posted + 60,
           'made ' || job.n
      from (
        select made.*, type, place.city, place.country, place.currency, place.units, place.keys,
               role.pay < 60000 and random() < 0.7 as is_hourly,
               least(99000000, role.pay * place.level * place.units * (0.8 + random() * 0.5)
                               * case when typed.type = 'internship' then 0.4 else 1 end) as top
          from (
            select n, floor(20000 * random())::integer as place, floor(2000 * random())::integer as role,
                   floor(${PARAGRAPHS}::integer * random())::integer as one,
                   floor(${PARAGRAPHS}::integer * random())::integer as two,
                   'team' || floor(power(random(), 3) * 100000) as rare,
                   floor(power(random(), 1.7) * (select count(*) from made_companies))::bigint as company,
                   (array['remote', 'hybrid', 'on-site', 'on-site', 'hybrid', 'on-site', 'remote', 'on-site'])
                     [1 + floor(random() * 8)::integer] as policy,
                   (array['part-time', 'part-time', 'contract', 'temporary', 'internship', 'contract'])
                     [1 + floor(power(random(), 1.5) * 30)::integer] as rare_type,
                   random() < 0.4 as is_anywhere,
                   current_date - floor(60 * power(1 - (n + random()) / ${count}::integer, 1.3))::integer
                     as posted
              from generate_series(${from}::integer, ${to - 1}::integer) n) made
          cross join lateral (select coalesce(rare_type, 'full-time') as type) typed
          join made_places place on place.n = made.place
          join made_roles role on role.n = made.role
        offset 0) job
      join made_roles role on role.n = job.role
      join made_texts one on one.n = job.one join made_texts two on two.n = job.two
      join made_companies company on company.n = job.company`)

/** Made again at the end: at a million rows that takes a fraction of the time. */
async function putIndexesAside(db: Database) {
  const indexes = await db.query<{ name: string; create: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as create
      from pg_index
     where indrelid in ('job_postings'::regclass, 'job_entries'::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`)
  for (const { name } of indexes) await db.query(raw(`drop index ${name}`))
  return indexes.map(({ create }) => create)
}

/** What people type into the boxes: common, less common, rare, and nobody's. */
export const SEARCHED = [
  'engineer',
  'nurse',
  'barista',
  'senior software engineer',
  'sommelier',
  'sql',
  'cobol',
  'manager',
  'kubernetes',
  'team77',
  'team41234',
  'night nurse',
  'remote salary',
  'pension',
  'nobodywrotethis',
] as const
export const SEARCHED_PLACES = [
  'Berlin',
  'New York',
  'Germany',
  'United States',
  'India',
  'Zürich',
  'Jakarta',
  'Town 77',
  'Munich',
  foldText('São Paulo'),
  'London, United Kingdom',
  'Iceland',
] as const
