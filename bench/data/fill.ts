/** The one data set all benchmarks use, generated in parts. */
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { generateUsername, usernameKey } from '../../app/identity/accounts/username.ts'
import { contactAddressHash } from '../../app/office/contact/contact-queries.server.ts'
import { searchWords } from '../../app/office/contact/message-search.ts'
import type { Database } from '../../app/platform/database/database.server.ts'
import { migrate } from '../../app/platform/database/migrate.server.ts'
import { openPostgres } from '../../app/platform/database/postgres.server.ts'
import { createSecrets } from '../../app/platform/database/secrets.server.ts'
import { refreshScores } from '../../app/ratings/score.server.ts'
import { companyKeyRows, companyRows, companyStatsRows } from './companies.ts'
import { bulkLoad } from './copy.ts'
import { ENTRIES_OF_JOBS, jobRows, textOf } from './jobs.ts'
import { createRandom } from './random.ts'
import { commentRows, threadRows } from './threads.ts'
import { TALKED_WORDS } from './words.ts'

/** How many of each there are. A thread comes with five comments, unless `commentsEach` says otherwise. */
interface Amounts {
  companies: number
  threads: number
  ratings: number
  accounts: number
  jobs: number
  messages: number
}
export type Part = keyof Amounts

/** A young site is a month old, any other three years. */
const YOUNG = 0.001

/** A world of size 1 is a large site: ten million comments about a million companies. */
export const amountsOf = (size: number): Amounts & { days: number } => ({
  companies: Math.round(1_000_000 * size),
  threads: Math.round(2_000_000 * size),
  ratings: Math.round(3_000_000 * size),
  accounts: Math.round(500_000 * size),
  jobs: Math.round(1_000_000 * size),
  messages: Math.round(100_000 * size),
  days: size <= YOUNG ? 30 : 3 * 365,
})

/** Which tables a part fills. */
export const TABLES: Record<Part, string[]> = {
  companies: ['companies', 'company_stats', 'company_keys', 'categories'],
  threads: ['threads', 'comments'],
  ratings: ['ratings', 'public_ratings', 'rating_months', 'company_stats'],
  accounts: ['accounts', 'profiles', 'admin_users', 'moderators'],
  jobs: ['job_postings', 'job_entries'],
  messages: ['contact_messages'],
}

/** A database only works with its own key, so using it again needs the same one. */
export const SECRET_KEY = 'of no importance, but always the same'
/** How many ratings it takes to show them, and how many are published together. */
export const shownRatings = { minShown: 1, ratingBatch: 5 }

/** Why the data wasn't made, in a sentence for the person at the keyboard. */
export class DataRefused extends Error {}

interface Filling {
  client: pg.Client
  db: Database
  amounts: Partial<Amounts> & { companies: number; days?: number; commentsEach?: number }
  seed: number
}

const MAKING: Record<Part, (filling: Filling, count: number) => Promise<void>> = {
  companies: ({ client, seed }, count) =>
    bulkLoad(
      client,
      [companyRows, companyStatsRows, companyKeyRows].map((rowsOf) => rowsOf(seed, count)),
      'insert into categories (name, companies) select category, count(*) from companies group by 1',
    ),
  threads({ client, seed, amounts: { companies, days, commentsEach } }, threads) {
    const of = { threads, days, companies, commentsEach }
    return bulkLoad(client, [threadRows(seed, of), commentRows(seed, of)])
  },
  ratings: makeRatings,
  accounts: makeAccounts,
  jobs: ({ client, seed, amounts: { companies } }, count) =>
    bulkLoad(client, [jobRows(seed, count, companies), NO_ENTRIES], ENTRIES_OF_JOBS),
  messages: makeMessages,
}
export const PARTS = Object.keys(MAKING) as Part[]

const NO_ENTRIES = { name: 'job_entries', columns: 'key', count: 0, rows: () => [] }

/**
 * Generates the parts that have an amount and aren't in the database yet. The same seed and amounts give the same rows,
 * including IDs, up to today. @throws DataRefused if there are companies it didn't generate
 */
export async function fill(wanted: { url: string; amounts: Filling['amounts']; seed: number }) {
  const { url, amounts, seed } = wanted
  const db = await openPostgres({ url, connections: 2 })
  const client = new pg.Client({ connectionString: url, application_name: 'kettle-bench-data' })
  await client.connect()
  try {
    await migrate(db)
    await client.query('create table if not exists bench_made (part text primary key)')
    const { rows } = await client.query<{ part: string }>('select part from bench_made')
    const made = new Set(rows.map(({ part }) => part))
    if (!made.has('companies') && (await client.query('select from companies limit 1')).rowCount)
      throw new DataRefused('This database has companies already; bench data needs an empty one.')
    for (const part of PARTS) {
      const count = amounts[part]
      if (!count || made.has(part)) continue
      console.error(`Making ${count} ${part}`)
      await MAKING[part]({ client, db, amounts, seed }, count)
      // Index-only scans need the visibility map.
      for (const table of TABLES[part]) await client.query(`vacuum (analyze) ${table}`)
      await client.query('insert into bench_made values ($1)', [part])
    }
  } finally {
    await client.end()
    await db.close()
  }
}

/** Invented in the database, skewed: a few companies have thousands of ratings. */
async function makeRatings({ db }: Filling, count: number) {
  const CATEGORIES = ['rto', 'dei', 'work_life', 'culture']
  const given = CATEGORIES.join(', ')
  const stars = CATEGORIES.map(
    (name) =>
      `array[${[1, 2, 3, 4, 5].map((n) => `count(*) filter (where ${name} = ${n})`).join(', ')}]`,
  ).join(', ')
  await db.transaction(async (db) => {
    await db.query(sql`select setseed(0.5), set_config('statement_timeout', '0', true)`)
    await db.query(sql`truncate ratings, public_ratings, rating_months cascade`)
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
    const columns = raw(`id, company_id, month, ${given}, relation, note, note_html`)
    await db.query(sql`
      insert into public_ratings (${columns})
      select ${columns} from ratings order by company_id, gen_random_uuid()`)
    await db.query(sql`
      insert into rating_months (company_id, month, ratings, tenths, ${raw(given)})
      select company_id, month, count(*),
             sum(round(10.0 * (rto + coalesce(dei, 0) + coalesce(work_life, 0) + coalesce(culture, 0))
                       / num_nonnulls(${raw(given)}))), ${raw(stars)}
        from ratings group by company_id, month`)
    const today = new Date().toISOString().slice(0, 10)
    await refreshScores(db, sql`true`, { today, ...shownRatings })
  })
}

const BATCH = 10_000

/** People with names like the site's. A few have a role or are suspended. */
async function makeAccounts({ client, seed }: Filling, count: number) {
  const random = createRandom(seed, 'usernames')
  const names = new Set<string>()
  while (names.size < count) names.add(usernameKey(generateUsername(() => random.next())))
  const sealed = createSecrets(SECRET_KEY).seal('someone@example.org')
  const all = [...names]
  // Recreated at the end, as every night.
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_indexdef('profiles_username_alike'::regclass) as definition`,
  )
  await client.query('drop index profiles_username_alike')
  for (let made = 0; made < count; made += BATCH)
    await client.query(
      `with made as (
         insert into accounts
           (email_hash, email_sealed, root_sealed, is_email_confirmed, is_suspended, made_in_month)
         select name, $1, $1, right(name, 1) <> '7', right(name, 3) = '123', '2026-02-01'
           from unnest($2::text[]) name
         returning id, email_hash as name)
       insert into profiles (account_id, username, username_key) select id, name, name from made
           on conflict do nothing`,
      [sealed, all.slice(made, made + BATCH)],
    )
  await client.query(rows[0]?.definition ?? '')
  const some = 'select id from accounts where email_hash = any ($1)'
  await client.query(`insert into admin_users (id) ${some}`, [all.slice(0, 5)])
  await client.query(`insert into moderators (id) ${some}`, [all.slice(5, 30)])
}

/** A tenth is unread, a third archived, and a third deleted. Most are recent, as after an afternoon of spam. */
async function makeMessages({ client, seed }: Filling, count: number) {
  const random = createRandom(seed, 'contact messages')
  const secrets = createSecrets(SECRET_KEY)
  const hash = contactAddressHash(secrets, 'someone@example.org')
  const sealed = secrets.seal('someone@example.org')
  for (let made = 0; made < count; made += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - made) }, (_, n) => {
      const name = `${random.pick(TALKED_WORDS)} ${random.pick(TALKED_WORDS)}`
      const length = random.chance(0.05) ? 500 : 10 + random.below(60)
      const message = textOf(random, length).slice(0, 5_000)
      const others = ['unread', 'read', 'read', 'read', 'archived', 'archived', 'archived']
      const status = made + n > count * 0.7 ? 'deleted' : random.pick(others)
      return { name, message, status, words: searchWords(`${name} ${message}`) }
    })
    await client.query(
      `insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, status,
                                     deleted_on, created_at, search)
       select gen_random_uuid(), name, $1 || name, $2, message, status,
              case when status = 'deleted' then current_date end,
              date_trunc('hour', now(), 'UTC'), array_to_tsvector(words)
         from json_to_recordset($3) as made (name text, message text, status text, words text[])`,
      [hash, sealed, JSON.stringify(rows)],
    )
  }
}
