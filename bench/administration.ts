/** The administrators' panel: its numbers beside as many companies as there are, and its search for accounts. */
import sql, { raw } from 'sql-template-tag'
import { visitor } from '../app/api/auth/actor.ts'
import type { AuthSettings } from '../app/api/auth/auth-settings.server.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import { managedAccounts } from '../app/identity/accounts/administrators/managed-accounts.server.ts'
import { generateUsername, usernameKey } from '../app/identity/accounts/username.ts'
import { adminStats } from '../app/office/administration/administration-queries.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { createRandom, type Random } from './data/random.ts'
import { type Bench, type Figure, latencyFigures, median, timesOf } from './measure.ts'

const ASKED = 200
const NAIVE = 5
/** Just below the number from which on it is an estimate: the most that is ever counted. */
const MEMBERS = 49_000
const REQUESTS = 20_000
const SEARCHED = 400
const TOGETHER = 10_000
const LONGEST_PART = 10

export const administration: Bench = {
  name: 'administration',
  async run({ databaseUrl, companies, accounts, seed }) {
    const db = await openPostgres({ url: await databaseUrl(), connections: 2 })
    const ctx: Ctx = {
      db,
      now: () => new Date(),
      actor: { ...visitor, role: 'admin' },
      network: '127.0.0.1',
      secrets: createSecrets('of no importance here'),
      jobs: createJobs(db),
    }
    try {
      const there = await timed(ctx)
      const reference = median(await timesOf(Array(NAIVE).keys(), () => naively(ctx)))
      const crowded = await amongMany(ctx)
      const beside = `beside ${companies} companies`
      return [
        ...latencyFigures(`admin stats ${beside}`, there, { reference, p95: 20 }),
        ...latencyFigures(`admin stats, ${MEMBERS} members counted one by one`, crowded, {
          p95: 20,
        }),
        ...(await searching(ctx, accounts, createRandom(seed, 'usernames'))),
      ] satisfies Figure[]
    } finally {
      await db.close()
    }
  },
}

const timed = (ctx: Ctx) => timesOf(Array(ASKED).keys(), () => adminStats(ctx))

/** What is invented for the work is gone after it. */
async function undone<Result>(ctx: Ctx, work: (ctx: Ctx) => Promise<Result>) {
  const undo = new Error('undone on purpose')
  let result: Result | undefined
  await ctx.db
    .transaction(async (db) => {
      result = await work({ ...ctx, db })
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return result as Result
}

/** With members, threads and requests. */
const amongMany = (ctx: Ctx) =>
  undone(ctx, async (ctx) => {
    const { db } = ctx
    await db.query(sql`
      insert into accounts (email_hash, email_sealed, root_sealed, made_in_month)
      select 'bench ' || n, 'sealed', 'sealed', '2026-02-01' from generate_series(1, ${MEMBERS}::integer) n`)
    await db.query(sql`
      insert into profiles (account_id, username, username_key)
      select id, replace(email_hash, ' ', '-'), replace(email_hash, ' ', '-')
        from accounts where email_hash like 'bench %'`)
    await db.query(sql`
      insert into company_requests (company_name, status, created_on)
      select 'Acme ' || n, case when n % 2 = 0 then 'pending' else 'approved' end, '2026-02-01'
        from generate_series(1, ${REQUESTS}::integer) n`)
    return timed(ctx)
  })

/** By parts of usernames as the site makes them, as they are typed: one in ten is nobody's. */
const searching = (ctx: Ctx, count: number, random: Random) =>
  undone(ctx, async (ctx) => {
    const names = await settle(ctx, count, random)
    const parts = Array.from({ length: SEARCHED }, () => {
      const name = random.chance(0.1) ? 'nobodyhasthis' : random.pick(names)
      const start = random.below(name.length - 1)
      return name.slice(start, start + 1 + random.below(LONGEST_PART))
    })
    // A list asks who the owner is, and for nothing else.
    const { list } = managedAccounts({ ownerEmail: undefined } as AuthSettings)
    const reference = median(
      await timesOf(parts.slice(0, NAIVE), (part) =>
        ctx.db.query(sql`
          with named as materialized (select * from profiles where position(${part} in username_key) > 0)
          select * from named order by username_key limit 31`),
      ),
    )
    const figures: Figure[] = []
    for (const sort of ['name', 'role', 'status'] as const) {
      const times = await timesOf(parts, (search) => list(ctx, { sort, search }))
      figures.push(
        ...latencyFigures(`search of ${count} accounts by part of a name, by ${sort}`, times, {
          reference,
          p95: 50,
        }),
      )
    }
    return figures
  })

/** People with names as `usernameKey` makes them, a few of them with a role, or suspended. */
async function settle({ db, secrets }: Ctx, count: number, random: Random) {
  console.error(`Making ${count} accounts`)
  const names = new Set<string>()
  while (names.size < count) names.add(usernameKey(generateUsername(() => random.next())))
  const sealed = secrets.seal('somebody@example.org')
  const all = [...names]
  await db.query(sql`select set_config('statement_timeout', '0', true)`)
  // Made anew at the end, as each night does.
  const [index] = await db.query<{ definition: string }>(sql`
    select pg_get_indexdef('profiles_username_alike'::regclass) as definition`)
  await db.query(raw('drop index profiles_username_alike'))
  for (let made = 0; made < count; made += TOGETHER)
    await db.query(sql`
      with made as (
        insert into accounts
          (email_hash, email_sealed, root_sealed, is_email_confirmed, is_suspended, made_in_month)
        select name, ${sealed}, ${sealed}, right(name, 1) <> '7', right(name, 3) = '123', '2026-02-01'
          from unnest(${all.slice(made, made + TOGETHER)}::text[]) name
        returning id, email_hash as name)
      insert into profiles (account_id, username, username_key) select id, name, name from made`)
  await db.query(raw(index?.definition ?? ''))
  const some = (from: number, to: number) => sql`
    select id from accounts order by email_hash desc limit ${to - from} offset ${from}`
  await db.query(sql`insert into admin_users (id) ${some(0, 5)}`)
  await db.query(sql`insert into moderators (id) ${some(5, 30)}`)
  for (const table of ['accounts', 'profiles', 'admin_users', 'moderators'])
    await db.query(raw(`analyze ${table}`))
  return all
}

/** As the specification's sentence reads: each table counted. */
const naively = ({ db }: Ctx) =>
  db.query(sql`
    select (select count(*) from profiles), (select count(*) from companies),
           (select count(*) from threads),
           (select count(*) from company_requests where status = 'pending')`)
