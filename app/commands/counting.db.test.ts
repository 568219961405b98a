/** The numbers of companies are what the rows say, whatever people do at once. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { SignedIn } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { removeRating } from '#app/ratings/rating-commands.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { companyRatings } from '#app/ratings/rating-queries.server.ts'
import { ratingsCsv } from '#app/ratings/ratings-csv.server.ts'
import { giveErinHerCompany, testRoot } from '#tests/people.ts'
import { amount } from '#tests/support/amounts.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { rate } from '#tests/support/raters.ts'
import { startThread } from '#tests/support/unlimited.ts'
import { counterDrift, repairCounters } from './counting.server.ts'

const { as, outside, somebodyWaits } = withDatabase()
const settings = { today: '2026-03-14', minShown: 1, ratingBatch: 1 }

/** Random numbers that are the same in every run. */
function drawing(seed: number) {
  let state = seed
  return (among: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * among)
  }
}

const someRating = (draw: (among: number) => number): RatingInput => {
  const stars = () => (draw(4) === 0 ? null : ((draw(5) + 1) as 1))
  return {
    rto: stars(),
    dei: stars(),
    workLife: stars(),
    culture: (draw(5) + 1) as 1,
    officeDays: null,
    relation: null,
    era: null,
    note: draw(3) === 0 ? 'A note' : '',
  }
}

const member = (ctx: Ctx, n: number): Ctx => {
  const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
  return {
    ...ctx,
    actor: {
      ...ctx.actor,
      account: { ...(ctx.actor.account as SignedIn), id, rootSealed: testRoot(testSecrets, id) },
    },
  }
}

describe('counters', () => {
  test('drift in any counter is found and fixed', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const draw = drawing(1)
      for (let n = 0; n < 12; n++) await rate(member(ctx, n), id, someRating(draw), settings)
      await startThread(ctx, {
        companyId: id,
        title: 'Is the lift in order?',
        body: 'It was not on Monday',
        topics: [],
        name: 'pseudonym',
        idempotencyKey: '00000000-0000-4000-8000-00000000005e',
      })
      expect(await counterDrift(ctx.db, settings)).toEqual([])
      const right = await companyRatings(ctx, id, settings)
      await ctx.db.query(sql`update rating_months set tenths = tenths + 1`)
      await ctx.db.query(sql`
        insert into rating_months (company_id, month, ratings, tenths) values (${id}, '2020-01-01', 1, 40)`)
      await ctx.db.query(sql`
        update company_stats set threads = 0, culture = 1 where company_id = ${id}`)
      expect((await counterDrift(ctx.db, settings)).map(({ counter }) => counter)).toEqual([
        'ratings of 2020-01',
        'ratings of 2026-03',
        'scores',
        'threads and comments',
      ])
      await repairCounters(ctx.db, settings)
      expect(await counterDrift(ctx.db, settings)).toEqual([])
      expect(await companyRatings(ctx, id, settings)).toEqual(right)
    }))

  test('a surging company’s number from yesterday isn’t drift, but an older one is', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(
        { ...ctx, now: () => new Date('2026-01-02') },
        id,
        someRating(drawing(2)),
        settings,
      )
      for (let n = 0; n < 12; n++)
        await rate(member(ctx, n), id, { ...someRating(drawing(n)), culture: 1 }, settings)
      await ctx.db.query(
        sql`update rating_months set surge_since = '2026-03-14' where month = '2026-03-01'`,
      )
      expect(await counterDrift(ctx.db, { ...settings, today: '2026-03-15' })).toEqual([])
      expect(await counterDrift(ctx.db, { ...settings, today: '2026-03-20' })).toHaveLength(1)
    }))

  // Only a server runs two transactions at a time.
  test('two people rate at once, and the score has both ratings', async () => {
    const db = outside()
    const ctx: Ctx = { ...(await as('dana', async (ctx) => ctx)), db }
    const [company] = await db.query<{ id: string }>(sql`
      insert into companies (name, name_key)
      values ('Quick', 'quick') returning id`)
    const id = company?.id as string
    const stars = { ...someRating(drawing(4)), note: '' }
    let late: Promise<unknown> = Promise.resolve()
    try {
      await db.transaction(async (db) => {
        const before = () => new Date('2026-02-28')
        await rate({ ...member(ctx, 1), db, now: before }, id, { ...stars, culture: 1 }, settings)
        late = rate(member(ctx, 2), id, { ...stars, culture: 5 }, settings)
        await somebodyWaits()
      })
      await late
      expect((await companyRatings(ctx, id, settings)).ratings).toBe(2)
      expect(await counterDrift(db, settings)).toEqual([])
    } finally {
      await late.catch(() => {})
      await db.query(sql`delete from companies where id = ${id}`)
    }
  })

  test('many changes at once, interleaved with shuffles, leave no drift', async () => {
    const db = outside()
    const changes = amount(300, 2_000)
    const draw = drawing(3)
    const companies = await db.query<{ id: string }>(sql`
      insert into companies (name, name_key)
      select 'Busy ' || n, 'busy ' || n from generate_series(1, 6) n
      returning id`)
    try {
      const ctx: Ctx = { ...(await as('dana', async (ctx) => ctx)), db }
      let done = 0
      const worker = async () => {
        while (done < changes) {
          const inSecondMonth = done++ > changes / 2
          const id = companies[draw(companies.length)]?.id as string
          const rater = member(
            { ...ctx, now: () => new Date(inSecondMonth ? '2026-03-14' : '2026-02-14') },
            draw(60),
          )
          const change =
            draw(4) === 0
              ? removeRating(rater, id, settings)
              : rate(rater, id, someRating(draw), settings)
          // Refused without a change, because it isn't rated yet or the same person rates at the same moment.
          await change.catch((error) => expect([404, 409]).toContain(error.status))
        }
      }
      const shuffler = async () => {
        for (let n = 0; n < 3; n++) await reorderTable(db, n % 2 ? 'ratings' : 'public_ratings')
      }
      await Promise.all([...Array.from({ length: 8 }, worker), shuffler()])
      expect(await counterDrift(db, settings)).toEqual([])
      const [rows] = await db.query<{ n: number }>(sql`select count(*)::integer as n from ratings`)
      expect(rows?.n).toBeGreaterThan(30)
    } finally {
      await db.query(
        sql`delete from companies where id = any(${companies.map(({ id }) => id)}::uuid[])`,
      )
    }
  })
})

test('the file has each bucket as a row of numbers under column names', () => {
  const five = [0, 0, 1, 0, 4]
  expect(
    ratingsCsv([
      {
        from: '2026-01',
        to: '2026-03',
        ratings: 5,
        weight: 30,
        tenths: 230,
        rto: five,
        dei: [0, 0, 0, 0, 0],
        workLife: five,
        culture: [5, 0, 0, 0, 0],
      },
    ]).split('\r\n'),
  ).toEqual([
    expect.stringMatching(/^from,to,ratings,weight_thirtieths,tenths,rto_1,rto_2,.*,culture_5$/),
    '2026-01,2026-03,5,30,230,0,0,1,0,4,0,0,0,0,0,0,0,1,0,4,5,0,0,0,0',
    '',
  ])
})
