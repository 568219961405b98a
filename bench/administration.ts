/** The numbers on the administrators' panel, beside as many companies as there are. */
import sql from 'sql-template-tag'
import { visitor } from '../app/auth/actor.ts'
import type { Ctx } from '../app/auth/context.server.ts'
import { adminStats } from '../app/features/administration/administration-queries.server.ts'
import { createJobs } from '../app/server/jobs.server.ts'
import { openPostgres } from '../app/server/postgres.server.ts'
import { createSecrets } from '../app/server/secrets.server.ts'
import { type Bench, type Figure, latencyFigures, median, timesOf } from './measure.ts'

const ASKED = 200
const NAIVE = 5
/** Just below the number from which on it is an estimate: the most that is ever counted. */
const MEMBERS = 49_000
const REQUESTS = 20_000

export const administration: Bench = {
  name: 'administration',
  async run({ databaseUrl, companies }) {
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
      ] satisfies Figure[]
    } finally {
      await db.close()
    }
  },
}

const timed = (ctx: Ctx) => timesOf(Array(ASKED).keys(), () => adminStats(ctx))

/** With members, threads and requests invented for it; undone at the end. */
async function amongMany(ctx: Ctx) {
  const undo = new Error('undone on purpose')
  let times: number[] = []
  await ctx.db
    .transaction(async (db) => {
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
      times = await timed({ ...ctx, db })
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return times
}

/** As the specification's sentence reads: each table counted. */
const naively = ({ db }: Ctx) =>
  db.query(sql`
    select (select count(*) from profiles), (select count(*) from companies),
           (select count(*) from threads),
           (select count(*) from company_requests where status = 'pending')`)
