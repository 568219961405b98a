/**
 * What a thief learns who copies the whole database, row places and transaction numbers included: of
 * whose rating is whose, nothing. Everything is drawn from one seed, but for what the database draws.
 */

import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { openAccountRoot } from '#app/api/auth/roots.server.ts'
import type { TaskParts } from '#app/api/feature.server.ts'
import { type AccountRow, accountById } from '#app/identity/accounts/account-queries.server.ts'
import {
  openSession,
  refreshSession,
} from '#app/identity/accounts/auth-server/session-commands.server.ts'
import { testRoot } from '#tests/people.ts'
import { openAuthSite } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { aRating, rate } from '#tests/support/raters.ts'
import { ratings } from './feature.server.ts'
import { helpfulKey } from './helpful-votes.server.ts'
import { voteHelpful } from './rating-commands.server.ts'
import { ratingTag } from './rating-tag.server.ts'

const MEMBERS = 300
const RATINGS = 900
const COMPANIES = 12
const DAYS = 30

const SOME = aRating()

const SETTINGS = { minShown: 1, ratingBatch: 5 }

const { as, outside } = withDatabase()

/** What the nightly run does about ratings. */
async function night() {
  const parts = { base: ctx, db: outside(), config: SETTINGS } as unknown as TaskParts
  for (const { run } of ratings.nightly?.(parts) ?? []) await run()
}

let seed = 20_260_314
const draw = (among: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * among)
}

type Row = Record<string, string>
/** Every table as text, with the place and the transaction of each row. */
const dump = new Map<string, Row[]>()
/** Who rated, by the rating's ID. The test knows this, but the database doesn't. */
const truth = new Map<string, string>()
/** The order in which people came, which the database doesn't know, either. */
const came: string[] = []
let ctx: Ctx

const tableOf = (name: string) => dump.get(name) as Row[]

/** What the rated company knows about the person who rated. */
function keyOfRater(ratingId: string) {
  const rater = truth.get(ratingId) as string
  const company = tableOf('ratings').find(({ id }) => id === ratingId)?.company_id as string
  return helpfulKey(openAccountRoot(testSecrets, rater, testRoot(testSecrets, rater)), company)
}

beforeAll(async () => {
  const db = outside()
  ctx = { ...(await as('dana', async (ctx) => ctx)), db }
  const companies = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key)
    select 'Firm ' || n, 'firm ' || n
      from generate_series(1, ${COMPANIES}::integer) n returning id`)
  // Accounts come one after the other, each in a transaction of its own, as people sign up.
  const members: string[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const id = randomUUID()
    await db.query(sql`
      insert into accounts
        (id, email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
      values (${id}, ${testSecrets.hash('email', `m${n}`)},
              ${testSecrets.seal(`m${n}@kettle.example`)}, ${testRoot(testSecrets, id)}, true,
              '2026-03-01')`)
    members.push(id)
  }
  const { tokens, exchanges } = await openAuthSite(db)
  const auth = { tokens, exchanges } as AuthSettings
  const noteIds: string[] = []
  for (let n = 0; n < RATINGS; n++) {
    const id = members[draw(MEMBERS)] as string
    const company = companies[draw(COMPANIES)]?.id as string
    const day = 1 + Math.floor((n / RATINGS) * DAYS)
    const seen: Ctx = {
      ...ctx,
      now: () => new Date(`2026-03-${String(day).padStart(2, '0')}T12:00:00Z`),
      actor: {
        ...ctx.actor,
        account: { ...(ctx.actor.account as SignedIn), id, rootSealed: testRoot(testSecrets, id) },
        authorKey: authorKeyOfAccount(testSecrets, id),
      },
    }
    // Who rates has just come, and comes back.
    came.push(id)
    const account = (await accountById(ctx, id)) as AccountRow
    const session = await openSession({ ...seen, auth }, account, 'password')
    const { id: rating } = await rate(
      seen,
      company,
      {
        ...SOME,
        rto: (draw(5) + 1) as 1,
        workLife: (draw(5) + 1) as 1,
        officeDays: draw(2) === 0 ? null : (draw(6) as 0),
        note: draw(3) === 0 ? `Note ${n}` : '',
      },
      SETTINGS,
    )
    truth.set(rating, id)
    if (n % 3 === 0) {
      const other = noteIds[draw(noteIds.length)]
      if (other && truth.get(other) !== id)
        await voteHelpful(seen, other, true, SETTINGS).catch((error) =>
          expect(error.status).toBe(404),
        )
    }
    noteIds.push(rating)
    if (n % Math.floor(RATINGS / 12) === 0) await night()
    if (n % 4 === 0) await refreshSession({ ...seen, auth }, session.refresh_token)
  }
  await night()
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  for (const { name } of tables)
    dump.set(
      name,
      await db.query<Row>(sql`
        select ctid::text as ctid, xmin::text as xmin, t.* from ${raw(name)} t order by t.ctid`),
    )
})

describe('someone with a copy of the database', () => {
  test('the copy has several hundred ratings by hundreds of people', () => {
    expect(tableOf('ratings').length).toBe(truth.size)
    expect(truth.size).toBeGreaterThan(0.8 * RATINGS)
    expect(new Set(truth.values()).size).toBeGreaterThan(0.8 * MEMBERS)
    expect(tableOf('rating_votes').length).toBeGreaterThan(0.05 * RATINGS)
    expect(came).toHaveLength(RATINGS)
  })

  test('the thief finds no trace of who visited and came back', () => {
    for (const name of ['ended_sessions', 'refresh_token_replays', 'one_time_tokens'])
      expect(tableOf(name)).toEqual([])
    // No account was touched since it was made.
    const transactions = tableOf('accounts').map(({ xmin }) => Number(xmin))
    const first = Math.min(...tableOf('ratings').map(({ xmin }) => Number(xmin)))
    for (const transaction of transactions) expect(transaction).toBeLessThan(first)
  })

  test('the thief finds no value in ratings that’s in an account’s row or identifies an author', () => {
    const ofPeople = new Set<string>()
    for (const name of ['accounts', 'profiles', 'ended_sessions', 'one_time_tokens'])
      for (const row of tableOf(name))
        for (const value of Object.values(row))
          if (typeof value === 'string' && value.length > 10) ofPeople.add(value)
    for (const id of truth.values()) ofPeople.add(authorKeyOfAccount(testSecrets, id))
    for (const row of tableOf('ratings'))
      for (const [column, value] of Object.entries(row))
        if (column !== 'month') expect(ofPeople.has(value)).toBe(false)
    // Only the month is shared, and by everyone.
    expect(new Set(tableOf('ratings').map(({ month }) => month)).size).toBe(1)
  })

  test('the thief finds ratings in no other table except their counters and votes', () => {
    const owners = new Map<string, Set<string>>()
    const shared = (table: string) => {
      const values = new Set(tableOf(table).flatMap((row) => Object.values(row).map(String)))
      return tableOf('ratings').some(
        ({ id, tag }) => values.has(id as string) || values.has(tag as string),
      )
    }
    for (const table of dump.keys())
      if (table !== 'ratings' && shared(table)) owners.set(table, new Set())
    expect([...owners.keys()].sort()).toEqual(['public_ratings', 'rating_votes'])
    // A vote says who found a note helpful, and never who wrote it.
    for (const { rating_id, key } of tableOf('rating_votes'))
      expect(Buffer.from(key as unknown as Uint8Array)).not.toEqual(keyOfRater(rating_id as string))
  })

  test('the thief learns nothing from the order of rows, which matches neither accounts nor visits', () => {
    const ratings = tableOf('ratings')
    const accounts = tableOf('accounts').map(({ id }) => id as string)
    for (const order of [accounts, came]) {
      const place = new Map(order.map((id, i) => [id, i]))
      // By chance it has the mean 0 and the deviation 1: beyond 4.5 once in 150,000 runs.
      expect(Math.abs(agreement(ratings, place))).toBeLessThan(4.5)
      expect(Math.abs(agreementWithinCompanies(ratings, place))).toBeLessThan(4.5)
    }
    // The measure would see it: in the order of their writing they agree with who came.
    const rows = new Map(ratings.map((row) => [row.id as string, row]))
    const written = [...truth.keys()].map((id) => rows.get(id) as Row)
    const place = new Map(came.map((id, i) => [id, i]))
    const least = 4.5
    expect(agreement(written, place)).toBeGreaterThan(least)
    expect(agreementWithinCompanies(written, place)).toBeGreaterThan(least)
  })

  test('the thief learns nothing from transactions: ratings, published ratings and votes have one each', () => {
    for (const table of ['ratings', 'public_ratings', 'rating_votes'])
      expect(new Set(tableOf(table).map(({ xmin }) => xmin)).size).toBe(1)
  })

  test('the thief learns nothing on a day with few ratings, because no counter moves until the night', async () => {
    const { db } = ctx
    const all = (table: string) =>
      db.query<Row>(sql`select xmin::text as xmin, xmax::text as xmax, t.* from ${raw(table)} t`)
    const counting = ['public_ratings', 'rating_months', 'company_stats', 'companies']
    const before = await Promise.all(counting.map(all))
    for (const [rating, account] of [...truth].slice(0, 3)) {
      const company = tableOf('ratings').find(({ id }) => id === rating)?.company_id as string
      const person = {
        ...(ctx.actor.account as SignedIn),
        id: account,
        rootSealed: testRoot(testSecrets, account),
      }
      const seen: Ctx = { ...ctx, actor: { ...ctx.actor, account: person } }
      await rate(seen, company, { ...SOME, rto: 3 }, SETTINGS)
    }
    // Except for former locks on companies.
    const withoutLocks = (tables: Row[][]) =>
      tables.map((rows) => rows.map(({ xmax, ...row }) => row))
    expect(withoutLocks(await Promise.all(counting.map(all)))).toEqual(withoutLocks(before))
    await night()
    const marks = new Set((await all('ratings')).map(({ xmin }) => xmin))
    expect(marks.size).toBe(1)
    expect(marks).not.toEqual(new Set(tableOf('ratings').map(({ xmin }) => xmin)))
  })

  test('the thief guesses by neighboring rows no better than by chance', () => {
    // The n-th rating in the table is said to be of who came as the n-th, as it would be where it lay in the
    // order of time.
    const ratings = tableOf('ratings')
    const step = came.length / ratings.length
    const NEAR = 5
    const ratingsOf = new Map<string, number>()
    for (const account of truth.values()) ratingsOf.set(account, (ratingsOf.get(account) ?? 0) + 1)
    let hits = 0
    let byChance = 0
    for (const [i, { id }] of ratings.entries()) {
      const at = Math.floor(i * step)
      const near = new Set<unknown>(came.slice(Math.max(0, at - NEAR), at + NEAR + 1))
      if (near.has(truth.get(id as string))) hits++
      // Who rates more often comes more often, too.
      for (const account of near)
        byChance += (ratingsOf.get(account as string) ?? 0) / ratings.length
    }
    // A sum of rare independent hits: its deviation is the root of its mean.
    expect(hits).toBeLessThan(byChance + 4.5 * Math.sqrt(byChance))
  })

  test('the thief needs the site’s key for the tag, because another key makes other tags', () => {
    const [row] = tableOf('ratings') as [Row]
    const account = truth.get(row.id as string) as string
    expect(ratingTag(ctx, account, row.company_id as string)).toBe(row.tag)
    const tags = new Set(tableOf('ratings').map(({ tag }) => tag))
    const without = {
      secrets: { ...testSecrets, hash: (_: string, ...parts: string[]) => parts.join() },
    }
    expect(tags.has(ratingTag(without, account, row.company_id as string))).toBe(false)
  })
})

/** How well the order of ratings agrees with the places of their accounts, in deviations. */
function agreement(ratings: Row[], place: Map<string, number>): number {
  const places = ratings.map(({ id }) => place.get(truth.get(id as string) as string) as number)
  return rankCorrelation(places) * Math.sqrt(ratings.length - 1)
}

/** The same within each company, beside each other as they lie, and then of all of them together. */
function agreementWithinCompanies(ratings: Row[], place: Map<string, number>): number {
  const companies = [...new Set(ratings.map(({ company_id }) => company_id))]
  const each = companies.map((id) =>
    agreement(
      ratings.filter(({ company_id }) => company_id === id),
      place,
    ),
  )
  return each.reduce((sum, one) => sum + one, 0) / Math.sqrt(each.length)
}

/** Spearman's, of the values against their own order; equal values share their rank. */
function rankCorrelation(values: number[]): number {
  const sorted = values.map((value, i) => ({ value, i })).sort((a, b) => a.value - b.value)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to]?.value === sorted[from]?.value) to++
    for (let k = from; k < to; k++) ranks[(sorted[k] as { i: number }).i] = (from + to - 1) / 2
    from = to
  }
  const mean = (values.length - 1) / 2
  let [both, own, order] = [0, 0, 0]
  for (const [i, rank] of ranks.entries()) {
    both += (rank - mean) * (i - mean)
    own += (rank - mean) ** 2
    order += (i - mean) ** 2
  }
  return both / Math.sqrt(own * order)
}
