/** Three million ratings of half a million people: a company's numbers, giving a rating, and the night. */
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import type { JobParts } from '../app/api/feature.server.ts'
import { companyById } from '../app/companies/company-queries.server.ts'
import { following } from '../app/companies/following/feature.server.ts'
import { accounts } from '../app/identity/accounts/feature.server.ts'
import type { Database, OpenDatabase } from '../app/platform/database/database.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { ratings as ratingsFeature } from '../app/ratings/feature.server.ts'
import { companyNotes, companyRatings } from '../app/ratings/rating-queries.server.ts'
import { holderOver, presented } from '../tests/support/holders.ts'
import { aRating } from '../tests/support/raters.ts'
import { fillRatings, shownRatings as settings } from './data/ratings.ts'
import { type Bench, cpuMsWithDatabase, type Figure, latencyFigures, timesOf } from './measure.ts'
import { startBuiltSite } from './program.ts'
import { headersOf, signUpAll } from './writing.ts'

const READ = 600
/** Twice as many: what runs is compiled only in part before, as it is not for long. */
const GIVEN = 200
/** So many people rate or change what they gave on the day before the night. */
const OF_THE_DAY = 20_000

export const ratings: Bench = {
  name: 'ratings',
  async run({ databaseUrl, ...sizes }) {
    const url = await databaseUrl()
    const db = await openPostgres({ url, connections: 4 })
    const ctx: Ctx = {
      db,
      now: () => new Date(),
      actor: visitor,
      network: '127.0.0.1',
      secrets: createSecrets('of no importance here'),
      jobs: createJobs(db),
    }
    try {
      await fillRatings(db, sizes.ratings)
      await fillAccounts(db, sizes.accounts)
      const ids = await ratedCompanies(db)
      return [
        // First: a site's tables lie as its nightly run leaves them.
        ...(await night(ctx, db, ids, sizes)),
        ...(await reading(ctx, ids)),
        ...(await writing(url, db, await ratedCompanies(db, 2 * GIVEN))),
      ]
    } finally {
      await db.close()
    }
  },
}

/** Bare people, each with a profile and a session. */
async function fillAccounts(db: Database, count: number) {
  const [known] = await db.query<{ n: number }>(sql`select count(*) as n from accounts`)
  if ((known?.n ?? 0) >= count) return
  await db.transaction(async (db) => {
    await db.query(sql`select set_config('statement_timeout', '0', true)`)
    await db.query(sql`
      insert into accounts
        (email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
      select md5('e' || n) || md5('f' || n), repeat('x', 80), repeat('x', 70), true, '2026-03-01'
        from generate_series(1, ${count}::integer) n`)
    await db.query(sql`
      insert into profiles (account_id, username, username_key)
      select id, 'p' || substr(id::text, 1, 18), 'p' || substr(id::text, 1, 18) from accounts
          on conflict do nothing`)
  })
  for (const table of ['accounts', 'profiles']) await db.query(raw(`vacuum (analyze) ${table}`))
}

/** By chance, and among them the most rated ones. */
async function ratedCompanies(db: Database, count = READ) {
  const some = await db.query<{ id: string }>(sql`
    select company_id as id from company_stats where ratings > 0 order by md5(company_id::text)
     limit ${count - 20}`)
  const most = await db.query<{ id: string }>(sql`
    select company_id as id from company_stats order by ratings desc limit 20`)
  return [...some, ...most].map(({ id }) => id)
}

async function reading(ctx: Ctx, ids: string[]): Promise<Figure[]> {
  const page = async (id: string) => {
    await companyById(ctx, id)
    await companyRatings(ctx, id, settings)
    await companyNotes(ctx, id)
  }
  await timesOf(ids.slice(0, 50), page)
  return latencyFigures("a company's page with its ratings", await timesOf(ids, page), { p95: 10 })
}

/** Ratings that are proven, and not by whom: nearly all of it is verified in a thread of its own. */
async function writing(url: string, db: Database, ids: string[]): Promise<Figure[]> {
  return [
    await givingRatings(url, db, ids, { isAtOnce: false }),
    await givingRatings(url, db, ids, { isAtOnce: true }),
  ]
}

async function givingRatings(
  url: string,
  db: Database,
  ids: string[],
  { isAtOnce }: { isAtOnce: boolean },
): Promise<Figure> {
  const site = await startBuiltSite({
    RATING_BATCH: isAtOnce ? '1' : '5',
    DATABASE_URL: url,
    STARTER: 'none',
    RATE_LIMITS: 'off',
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const [token] = await signUpAll(site.url, 1)
    await db.query(sql`update accounts set is_email_confirmed = true where not is_email_confirmed`)
    const send = async (method: string, path: string, body?: object, headers = headersOf()) => {
      const answer = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    }
    const holder = await holderOver((method, path, body) =>
      send(method, path, body, headersOf(token)),
    )
    const give = async (some: string[]) => {
      const given = some.map((id) => presented(holder, id, aRating({ rto: 4, culture: 2 })))
      const before = await cpuMsWithDatabase(client, site.pid)
      for (const { companyId, ...body } of given)
        await send('PUT', `/api/v1/companies/${companyId}/presented-rating`, body)
      return ((await cpuMsWithDatabase(client, site.pid)) - before) / some.length
    }
    await give(ids.slice(0, GIVEN))
    return {
      name: isAtOnce ? 'giving a rating that is published at once' : 'giving a rating',
      measured: await give(ids.slice(GIVEN, 2 * GIVEN)),
      unit: 'CPU-ms',
      budget: { most: 50 },
    }
  } finally {
    await client.end()
    await site.stop()
  }
}

/** What the nightly run does, step by step, while somebody reads. */
async function night(
  ctx: Ctx,
  db: OpenDatabase,
  ids: string[],
  { ratings: count, accounts: people }: { ratings: number; accounts: number },
): Promise<Figure[]> {
  await db.transaction(async (db) => {
    await db.query(sql`select set_config('statement_timeout', '0', true)`)
    await db.query(sql`
      update ratings set rto = 1 + (rto + 1) % 5
       where id in (select id from ratings order by company_id limit ${OF_THE_DAY})`)
  })
  const parts = { base: ctx, db, ratings: settings } as unknown as JobParts
  const steps = [accounts, following, ratingsFeature].flatMap(
    ({ nightly }) => nightly?.(parts) ?? [],
  )
  const took: [string, number][] = []
  let isDone = false
  const run = (async () => {
    for (const { name, run } of steps) {
      const began = performance.now()
      await run()
      took.push([name, (performance.now() - began) / 1000])
    }
  })().finally(() => {
    isDone = true
  })
  let slowest = 0
  for (let n = 0; !isDone; n++) {
    const [time = 0] = await timesOf([ids[n % ids.length] as string], async (id) => {
      await companyRatings(ctx, id, settings)
      await db.query(sql`select count(*) from accounts where id = gen_random_uuid()`)
    })
    slowest = Math.max(slowest, time)
  }
  await run
  return [
    ...took.map(
      ([name, seconds]): Figure => ({ name: `nightly: ${name}`, measured: seconds, unit: 's' }),
    ),
    {
      name: `a night of ${people} accounts and ${count} ratings`,
      measured: took.reduce((sum, [, seconds]) => sum + seconds, 0),
      unit: 's',
      budget: { most: 180 },
    },
    {
      name: 'a reader meanwhile, slowest',
      measured: slowest / 1000,
      unit: 's',
      budget: { most: 1 },
    },
  ]
}
