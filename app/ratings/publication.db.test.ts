/** Numbers move together: what is given waits, and is public with what others gave. */

import sql, { raw } from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { ownRatingsOf, pendingRatingOf } from '#app/companies/own-rating/own-rating.ts'
import { onOmittedRows } from '#app/platform/database/rows.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { NOW, withDatabase } from '#tests/support/database.ts'
import { accountOf, aRating, rate, rater } from '#tests/support/raters.ts'
import { publishRatingsOfTheDay } from './publication.server.ts'
import { publicOf } from './rating.data.ts'
import { forgetRater, removeRating } from './rating-commands.server.ts'
import type { RatingInput } from './rating-input.ts'
import { companyNotes, companyRatings, ratingByTags } from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'
import { refreshSurges } from './score.server.ts'

const { as } = withDatabase()
const settings = { minShown: 1, ratingBatch: 5 }

const given = (over: Partial<RatingInput> = {}) => aRating({ rto: 4, ...over })
const on = (ctx: Ctx, day: string): Ctx => ({ ...ctx, now: () => new Date(`${day}T12:00:00Z`) })
/** Six who rated long ago, which is public, and twenty of today who find nothing good. */
async function giveInAWave(ctx: Ctx, id: string) {
  for (let n = 0; n < 6; n++) await rate(on(rater(ctx, n), '2025-10-10'), id, given(), settings)
  await publishRatingsOfTheDay(on(ctx, '2025-10-11'), settings)
  for (let n = 10; n < 30; n++) await rate(rater(ctx, n), id, given({ rto: 1 }), settings)
}
const rows = (ctx: Ctx, table: string) =>
  ctx.db.query(sql`select t.*, t.xmin::text as mark from ${raw(table)} t order by t::text`)
/** All that counts, to the last transaction number. */
const everything = (ctx: Ctx) =>
  Promise.all(['public_ratings', 'rating_months', 'company_stats'].map((it) => rows(ctx, it)))
const ratingsOf = async (ctx: Ctx, id: string) => (await companyRatings(ctx, id, settings)).ratings

describe('a batch of five', () => {
  test('four people’s changes move no number, and the fifth’s publishes all of them', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const before = await everything(ctx)
      for (let n = 0; n < 4; n++) await rate(rater(ctx, n), id, given({ note: `n${n}` }), settings)
      for (const rto of [1, 2, 3] as const) await rate(rater(ctx, 0), id, given({ rto }), settings)
      await removeRating(rater(ctx, 3), id, settings)
      await rate(rater(ctx, 3), id, given(), settings)
      expect(await publishRatingsOfTheDay(ctx, settings)).toBe(0)
      expect(await everything(ctx)).toEqual(before)

      await rate(rater(ctx, 4), id, given(), settings)
      expect(await everything(ctx)).toEqual(before)
      expect(await publishRatingsOfTheDay(ctx, settings)).toBe(1)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({
        ratings: 5,
        score: 3.8,
        categories: { rto: { stars: [0, 0, 1, 4, 0] } },
      })
      expect((await companyNotes(ctx, id)).notes).toHaveLength(2)
      // A second run changes nothing.
      const after = await everything(ctx)
      expect(await publishRatingsOfTheDay(ctx, settings)).toBe(0)
      expect(await everything(ctx)).toEqual(after)
      expect(await counterDrift(ctx.db, { today: '2026-03-14', minShown: 1 })).toEqual([])
    }))

  test('a removed or edited note disappears the next night, and no number moves', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 5; n++) await rate(rater(ctx, n), id, given({ note: `n${n}` }), settings)
      await publishRatingsOfTheDay(ctx, settings)
      const before = await companyRatings(ctx, id, settings)
      const words = async () => (await companyNotes(ctx, id)).notes.map(({ html }) => html).sort()
      expect(await words()).toHaveLength(5)

      await removeRating(rater(ctx, 0), id, settings)
      await rate(rater(ctx, 1), id, given({ note: 'Said better' }), settings)
      expect(await words()).toHaveLength(5)
      await publishRatingsOfTheDay(ctx, settings)
      expect(await words()).toEqual(['<p>n2</p>', '<p>n3</p>', '<p>n4</p>'])
      expect(await companyRatings(ctx, id, settings)).toEqual(before)
    }))

  test('a rating that waited a whole month is published when the month ends, and nothing else is', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(on(rater(ctx, 1), '2026-01-31'), id, given(), settings)
      await rate(on(rater(ctx, 2), '2026-02-01'), id, given(), settings)
      await publishRatingsOfTheDay(on(ctx, '2026-02-28'), settings)
      expect(await ratingsOf(ctx, id)).toBe(0)
      await publishRatingsOfTheDay(on(ctx, '2026-03-01'), settings)
      expect(await ratingsOf(ctx, id)).toBe(1)
      await publishRatingsOfTheDay(on(ctx, '2026-03-31'), settings)
      expect(await ratingsOf(ctx, id)).toBe(1)
      await publishRatingsOfTheDay(on(ctx, '2026-04-01'), settings)
      expect(await ratingsOf(ctx, id)).toBe(2)
    }))

  test('a person who removes a rating or leaves moves no number until others do', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 8; n++) await rate(rater(ctx, n), id, given(), settings)
      await publishRatingsOfTheDay(ctx, settings)
      const before = await everything(ctx)
      await removeRating(rater(ctx, 0), id, settings)
      await expect(removeRating(rater(ctx, 0), id, settings)).rejects.toMatchObject({
        status: 404,
      })
      await forgetRater(ctx, { accountId: accountOf(1), posts: 'remove' }, settings)
      await forgetRater(ctx, { accountId: accountOf(2), posts: 'keep' }, settings)
      await publishRatingsOfTheDay(ctx, settings)
      expect(await everything(ctx)).toEqual(before)
      // What they gave is nowhere but in what is public, and nothing leads to who left.
      expect(await ratingByTags(ctx, [ratingTag(ctx, accountOf(0), id)])).toMatchObject({
        rating: null,
      })
      const emptied = await ctx.db.query<{ note: string; tag: string }>(sql`
        select note, tag from ratings where num_nonnulls(rto, dei, work_life, culture) = 0`)
      expect(emptied.map(({ note }) => note)).toEqual(['', ''])
      for (const left of [1, 2])
        expect(
          await ctx.db.query(
            sql`select from ratings where tag = ${ratingTag(ctx, accountOf(left), id)}`,
          ),
        ).toEqual([])

      for (let n = 3; n < 6; n++) await rate(rater(ctx, n), id, given({ rto: 1 }), settings)
      await publishRatingsOfTheDay(ctx, settings)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({
        ratings: 6,
        categories: { rto: { stars: [3, 0, 0, 3, 0] } },
      })
      expect(await ctx.db.query(sql`select from ratings`)).toHaveLength(6)
      expect(await counterDrift(ctx.db, { today: '2026-03-14', minShown: 1 })).toEqual([])
    }))

  test('a batch’s rows have one transaction and a random order', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const written: string[] = []
      for (let n = 0; n < 40; n++)
        written.push((await rate(rater(ctx, n), id, given(), settings)).id)
      await publishRatingsOfTheDay(ctx, settings)
      const shown = await ctx.db.query<{ id: string; mark: string }>(
        sql`select id, xmin::text as mark from public_ratings order by ctid`,
      )
      expect(new Set(shown.map(({ mark }) => mark)).size).toBe(1)
      expect(shown.map(({ id }) => id)).not.toEqual(written)
    }))

  test('a company whose numbers can’t be counted is published the next night and delays no other', () =>
    as('dana', async (ctx) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const noted: { list: string; rows: number }[] = []
      const end = onOmittedRows(({ list, rows }) => noted.push({ list, rows }))
      onTestFinished(() => void end())
      const broken = await giveErinHerCompany(ctx.db)
      const whole = ['00000000-0000-4000-8000-000000000001', crypto.randomUUID()]
      for (const id of whole)
        await ctx.db.query(sql`
          insert into companies (id, name, name_key, slug) values (${id}, ${id}, ${id}, ${id})`)
      for (const id of [broken, ...whole])
        for (let n = 0; n < 5; n++) await rate(rater(ctx, n), id, given(), settings)
      // This number doesn't fit its column anymore.
      await ctx.db.query(sql`
        insert into rating_months (company_id, month, ratings)
        values (${broken}, '2026-03-01', 2147483647)`)

      expect(await publishRatingsOfTheDay(ctx, settings)).toBe(2)
      for (const id of whole) expect(await ratingsOf(ctx, id)).toBe(5)
      expect(
        await ctx.db.query(sql`
        select from public_ratings where company_id = ${broken}`),
      ).toEqual([])
      expect(noted).toEqual([{ list: 'companies whose ratings are due', rows: 1 }])

      await ctx.db.query(sql`delete from rating_months where company_id = ${broken}`)
      expect(await publishRatingsOfTheDay(ctx, settings)).toBe(1)
      expect(await ratingsOf(ctx, broken)).toBe(5)
    }))

  test('a wave of ratings published together is a surge from that day on', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await giveInAWave(ctx, id)
      expect((await companyRatings(ctx, id, settings)).surgeSince).toBeNull()
      await publishRatingsOfTheDay(ctx, settings)
      expect((await companyRatings(ctx, id, settings)).surgeSince).toBe(
        NOW.toISOString().slice(0, 10),
      )
    }))
})

describe('someone who rates', () => {
  const seen = async (ctx: Ctx, id: string) => {
    const tag = ratingTag(ctx, ctx.actor.account?.id as string, id)
    const [onServer, view] = [
      await ratingByTags(ctx, [tag]),
      await companyRatings(ctx, id, settings),
    ]
    const of = { name: 'Acme', path: '/acme', formerIds: [] }
    const waiting = pendingRatingOf({ ...of, onServer, base: publicOf(view) }, publicOf(view))
    return waiting && ownRatingsOf(waiting)
  }
  /** As it is when everything is published. */
  const published = async (ctx: Ctx, id: string) => {
    const atOnce = { ...settings, ratingBatch: 1 }
    await publishRatingsOfTheDay(ctx, atOnce)
    const { ratings, score, categories, buckets, isHeldBack } = await companyRatings(
      ctx,
      id,
      atOnce,
    )
    return { ratings, score, categories, buckets, isHeldBack }
  }

  test('dana sees the number with her own stars at once, even in a surge, and others don’t', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await giveInAWave(ctx, id)
      await publishRatingsOfTheDay(ctx, settings)
      const before = await companyRatings(ctx, id, settings)

      // One changes what was published, and one is new.
      const [old, fresh] = [rater(ctx, 3), rater(ctx, 50)]
      await rate(old, id, given({ rto: 2, culture: 5 }), settings)
      const mine = await seen(old, id)
      expect(mine).toMatchObject({ ratings: 26 })
      expect(mine?.score).not.toBe(before.score)
      expect(await published(old, id)).toEqual(mine)
      expect(await seen(old, id)).toBeUndefined()

      await rate(fresh, id, given({ dei: 1 }), settings)
      const hers = await seen(fresh, id)
      expect(hers).toMatchObject({ ratings: 27 })
      expect(await seen(old, id)).toBeUndefined()
      expect(await published(fresh, id)).toEqual(hers)

      await removeRating(fresh, id, settings)
      expect(await seen(fresh, id)).toMatchObject({ ratings: 26 })
    }))

  test('dana has nothing waiting after removing an unpublished rating', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(ctx, id, given(), settings)
      expect(await seen(ctx, id)).toMatchObject({ ratings: 1, score: 4 })
      await removeRating(ctx, id, settings)
      expect(await seen(ctx, id)).toBeUndefined()
    }))
})

test('no answer differs from the one before by one to four people in a simulated quarter', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    let state = 11
    const random = (among: number) => {
      state = (state * 16_807) % 2_147_483_647
      return state % among
    }
    const shown = async () =>
      new Map(
        (
          await ctx.db.query<{ id: string; all: string }>(
            sql`select id, to_jsonb(p)::text as all from public_ratings p`,
          )
        ).map(({ id, all }) => [id, all]),
      )
    let before = await shown()
    let moves = 0
    for (let n = 0; n < 90; n++) {
      const day = new Date(Date.UTC(2026, 3, 2 + n)).toISOString().slice(0, 10)
      for (let deed = random(3); deed > 0; deed--) {
        const who = on(rater(ctx, random(25)), day)
        if (random(6) === 0) await removeRating(who, id, settings).catch(() => {})
        else await rate(who, id, given({ rto: (1 + random(5)) as 1 }), settings)
      }
      await publishRatingsOfTheDay(on(ctx, day), settings)
      await refreshSurges(ctx.db, { today: day, minShown: 1 })
      const after = await shown()
      const people = new Set([...before.keys(), ...after.keys()])
      const moved = [...people].filter((one) => before.get(one) !== after.get(one)).length
      if (moved > 0) moves++
      if (day.slice(8) !== '01') expect(moved === 0 || moved >= 5).toBe(true)
      before = after
    }
    expect(moves).toBeGreaterThan(4)
    expect(await counterDrift(ctx.db, { today: '2026-06-30', minShown: 1 })).toEqual([])
  }))
