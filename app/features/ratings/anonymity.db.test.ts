/**
 * What a thief learns who copies the whole database, row places and transaction numbers included: of
 * whose rating is whose, nothing. Everything is drawn from one seed, but for what the database draws.
 */
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAuthSite } from '../../../tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '../../../tests/support/database.ts'
import type { SignedIn } from '../../auth/actor.ts'
import type { AuthSettings } from '../../auth/auth-settings.server.ts'
import { authorKeyOfAccount } from '../../auth/author-keys.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { type AccountRow, accountById } from '../accounts/account-queries.server.ts'
import { openSession, refreshSession } from '../accounts/auth-server/session-commands.server.ts'
import { findHelpful, rate } from './rating-commands.server.ts'
import type { RatingInput } from './rating-input.ts'
import { ratingTag } from './rating-tag.server.ts'
import { reorderRatings } from './reorder.server.ts'

/** The embedded database, which runs one statement at a time, gets a smaller community. */
const isServer = process.env.TEST_ENGINE === 'postgres'
const MEMBERS = isServer ? 300 : 80
const RATINGS = isServer ? 900 : 240
const COMPANIES = 12
const DAYS = 30

const SOME: RatingInput = {
  rto: null,
  dei: null,
  workLife: null,
  culture: null,
  officeDays: null,
  relation: null,
  era: null,
  note: '',
}

const { as, outside } = withDatabase()

let seed = 20_260_314
const draw = (among: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * among)
}

type Row = Record<string, string>
/** Every table as text, with the place and the transaction of each row. */
const dump = new Map<string, Row[]>()
/** Who rated, by the rating's id: what the test knows and the database does not. */
const truth = new Map<string, string>()
let ctx: Ctx

const tableOf = (name: string) => dump.get(name) as Row[]

beforeAll(async () => {
  const db = outside()
  ctx = { ...(await as('dana', async (ctx) => ctx)), db }
  const companies = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, search_text)
    select 'Firm ' || n, 'firm ' || n, 'firm ' || n || E'\n\nother'
      from generate_series(1, ${COMPANIES}::integer) n returning id`)
  // Accounts come one after the other, each in a transaction of its own, as people sign up.
  const members: string[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const [account] = await db.query<{ id: string }>(sql`
      insert into accounts (email_hash, email_sealed, is_email_confirmed, made_in_month)
      values (${testSecrets.hash('email', `m${n}`)}, ${testSecrets.seal(`m${n}@kettle.example`)},
              true, '2026-03-01') returning id`)
    members.push(account?.id as string)
  }
  const { tokens } = await openAuthSite(db)
  const auth = { tokens } as AuthSettings
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
        account: { ...(ctx.actor.account as SignedIn), id },
        authorKey: authorKeyOfAccount(testSecrets, id),
      },
    }
    // Who rates has just come: the worst that a session's place and transaction can tell.
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
      { minShown: 1 },
    )
    truth.set(rating, id)
    if (n % 3 === 0) {
      const other = noteIds[draw(noteIds.length)]
      if (other && truth.get(other) !== id)
        await findHelpful(seen, other, true).catch((error) => expect(error.status).toBe(404))
    }
    noteIds.push(rating)
    if (n % 4 === 0) await refreshSession({ ...seen, auth }, session.refresh_token)
  }
  await reorderRatings(db)
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  for (const { name } of tables)
    dump.set(
      name,
      await db.query<Row>(sql`
        select ctid::text as ctid, xmin::text as xmin, t.* from ${raw(name)} t order by t.ctid`),
    )
}, 180_000)

describe('who holds a copy of the database', () => {
  test('has what there was: several hundred ratings of hundreds of people', () => {
    expect(tableOf('ratings').length).toBe(truth.size)
    expect(truth.size).toBeGreaterThan(0.8 * RATINGS)
    expect(new Set(truth.values()).size).toBeGreaterThan(0.8 * MEMBERS)
    expect(tableOf('rating_votes').length).toBeGreaterThan(0.05 * RATINGS)
    expect(tableOf('sessions').length).toBeGreaterThan(RATINGS)
  })

  test('finds no value in ratings that stands in any row of an account, or says whose a post is', () => {
    const ofPeople = new Set<string>()
    for (const name of ['accounts', 'profiles', 'sessions', 'one_time_tokens'])
      for (const row of tableOf(name))
        for (const value of Object.values(row))
          if (typeof value === 'string' && value.length > 10) ofPeople.add(value)
    for (const id of truth.values()) ofPeople.add(authorKeyOfAccount(testSecrets, id))
    for (const row of tableOf('ratings'))
      for (const [column, value] of Object.entries(row))
        if (column !== 'month') expect(ofPeople.has(value)).toBe(false)
    // The month alone is shared, by everybody.
    expect(new Set(tableOf('ratings').map(({ month }) => month)).size).toBe(1)
  })

  test('finds ratings by no column of any other table, but the counters and votes about them', () => {
    const owners = new Map<string, Set<string>>()
    const shared = (table: string) => {
      const values = new Set(tableOf(table).flatMap((row) => Object.values(row).map(String)))
      return tableOf('ratings').some(
        ({ id, tag }) => values.has(id as string) || values.has(tag as string),
      )
    }
    for (const table of dump.keys())
      if (table !== 'ratings' && shared(table)) owners.set(table, new Set())
    expect([...owners.keys()]).toEqual(['rating_votes'])
    // A vote says who found a note helpful, and never who wrote it.
    for (const { rating_id, author_key } of tableOf('rating_votes'))
      expect(author_key).not.toBe(
        authorKeyOfAccount(testSecrets, truth.get(rating_id as string) as string),
      )
  })

  test('learns nothing from the order of the rows: it agrees with no order of accounts or sessions', () => {
    const ratings = tableOf('ratings')
    for (const [table, column] of [
      ['accounts', 'id'],
      ['sessions', 'account_id'],
    ] as const) {
      const place = new Map(tableOf(table).map((row, i) => [row[column] as string, i]))
      // By chance it has the mean 0 and the deviation 1: beyond 4.5 once in 150,000 runs.
      expect(Math.abs(agreement(ratings, place))).toBeLessThan(4.5)
      expect(Math.abs(agreementWithinCompanies(ratings, place))).toBeLessThan(4.5)
    }
    // The measure would see it: in the order of their writing they agree with the sessions.
    const rows = new Map(ratings.map((row) => [row.id as string, row]))
    const written = [...truth.keys()].map((id) => rows.get(id) as Row)
    const place = new Map(tableOf('sessions').map(({ account_id }, i) => [account_id as string, i]))
    const least = isServer ? 4.5 : 2.5
    expect(agreement(written, place)).toBeGreaterThan(least)
    expect(agreementWithinCompanies(written, place)).toBeGreaterThan(least)
  })

  test('learns nothing from transactions: ratings and what counts them have all one', () => {
    const numbers = ['ratings', 'rating_months', 'company_stats'].map((table) => [
      ...new Set(
        tableOf(table)
          .filter(({ ratings }) => ratings === undefined || Number(ratings) > 0)
          .map(({ xmin }) => xmin),
      ),
    ])
    expect(numbers[0]).toHaveLength(1)
    expect(numbers[1]).toEqual(numbers[0])
    expect(numbers[2]).toEqual(numbers[0])
  })

  test('nor after the next day, on which a few have rated', async () => {
    const { db } = ctx
    const marks = (table: string) =>
      db.query<{ xmin: string }>(sql`
        select distinct xmin::text as xmin from ${raw(table)} ${
          table === 'ratings' ? sql`` : sql`where ratings > 0`
        }`)
    const [before] = await marks('ratings')
    for (const [rating, account] of [...truth].slice(0, 3)) {
      const company = tableOf('ratings').find(({ id }) => id === rating)?.company_id as string
      const person = { ...(ctx.actor.account as SignedIn), id: account }
      const seen: Ctx = { ...ctx, actor: { ...ctx.actor, account: person } }
      await rate(seen, company, { ...SOME, rto: 3 }, { minShown: 1 })
    }
    expect((await marks('rating_months')).length).toBeGreaterThan(1)
    await reorderRatings(db)
    const [after] = await marks('ratings')
    expect(after).not.toEqual(before)
    // Nothing lies outside of the two runs; what nobody touched was left in peace.
    for (const table of ['rating_months', 'company_stats'])
      for (const mark of await marks(table)) expect([before, after]).toContainEqual(mark)
  })

  test('guesses by neighbourhood no better than by chance', () => {
    // The n-th rating in the table is said to be of the n-th session's account, as it would be where
    // both lie in the order of time.
    const sessions = tableOf('sessions')
    const ratings = tableOf('ratings')
    const step = sessions.length / ratings.length
    const NEAR = 5
    const ratingsOf = new Map<string, number>()
    for (const account of truth.values()) ratingsOf.set(account, (ratingsOf.get(account) ?? 0) + 1)
    let hits = 0
    let byChance = 0
    for (const [i, { id }] of ratings.entries()) {
      const at = Math.floor(i * step)
      const near = new Set(
        sessions.slice(Math.max(0, at - NEAR), at + NEAR + 1).map(({ account_id }) => account_id),
      )
      if (near.has(truth.get(id as string))) hits++
      // Who rates more often has more sessions, too.
      for (const account of near)
        byChance += (ratingsOf.get(account as string) ?? 0) / ratings.length
    }
    // A sum of rare independent hits: its deviation is the root of its mean.
    expect(hits).toBeLessThan(byChance + 4.5 * Math.sqrt(byChance))
  })

  test('needs the site’s key for the tag: another key makes other tags', () => {
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
