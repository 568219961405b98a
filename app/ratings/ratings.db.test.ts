/** Ratings on a real database: what's stored, what's shown, and what no one can find out. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { categoryScoreOf, scoreOf } from '#app/companies/own-rating/rating-buckets.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { aRating, rate, rater } from '#tests/support/raters.ts'
import { removeRating, voteHelpful } from './rating-commands.server.ts'
import type { RatingInput } from './rating-input.ts'
import { companyNotes, companyRatings, ratingByTags } from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'
import { applyMinShown, refreshSurges } from './score.server.ts'

const { as, outside } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }

const given = (over: Partial<RatingInput> = {}) => aRating({ rto: 4, ...over })
const on = (ctx: Ctx, day: string): Ctx => ({ ...ctx, now: () => new Date(`${day}T12:00:00Z`) })

const shownStats = async (ctx: Ctx, companyId: string) =>
  (
    await ctx.db.query<Record<string, number | null>>(sql`
      select ratings, score, rto, dei, work_life as "workLife", culture
        from company_stats where company_id = ${companyId}`)
  )[0]

describe('rating', () => {
  test('Spec §5: a rating’s average is that of what was rated, and the company’s the mean of those', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(ctx, id, given({ rto: 5, culture: 2 }), settings)
      await rate(rater(ctx, 1), id, given({ rto: null, dei: 1 }), settings)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({
        ratings: 2,
        score: 2.25,
        categories: {
          rto: { score: 5, stars: [0, 0, 0, 0, 1] },
          dei: { score: 1, stars: [1, 0, 0, 0, 0] },
          workLife: { score: null },
          culture: { score: 2 },
        },
      })
      expect(await shownStats(ctx, id)).toEqual({
        ratings: 2,
        score: 2.25,
        rto: 5,
        dei: 1,
        workLife: null,
        culture: 2,
      })
    }))

  test('S16: nothing links two ratings by one person', () =>
    as('dana', async (ctx) => {
      const one = await giveErinHerCompany(ctx.db)
      const [other] = await ctx.db.query<{ id: string }>(sql`
        insert into companies (name, name_key)
        values ('Other', 'other') returning id`)
      await rate(ctx, one, given({ rto: 1 }), settings)
      await rate(ctx, other?.id as string, given({ rto: 5 }), settings)
      const tags = await ctx.db.query<{ tag: string }>(sql`select distinct tag from ratings`)
      expect(tags).toHaveLength(2)
      expect(await companyRatings(ctx, one, settings)).toMatchObject({ ratings: 1, score: 1 })
    }))

  test('S16: dana has one rating per company and can change or remove it anytime', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const first = await rate(on(ctx, '2026-02-10'), id, given({ rto: 1 }), settings)
      const second = await rate(ctx, id, given({ rto: 5, note: 'Better **now**' }), settings)
      expect(second).toMatchObject({ id: first.id, month: '2026-03', rto: 5 })
      expect(await companyRatings(ctx, id, settings)).toMatchObject({
        ratings: 1,
        score: 5,
        buckets: [{ from: '2026-03', to: '2026-03', ratings: 1, tenths: 50 }],
      })
      await removeRating(ctx, id, settings)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 0, score: null })
      expect(await shownStats(ctx, id)).toMatchObject({ ratings: 0, score: 0, rto: null })
      await expect(removeRating(ctx, id, settings)).rejects.toMatchObject({ status: 404 })
    }))

  test('a missing company can’t be rated', () =>
    as('dana', async (ctx) => {
      await expect(
        rate(ctx, '00000000-0000-4000-8000-000000000bad', given(), settings),
      ).rejects.toMatchObject({ status: 404 })
    }))

  test('a changed RATING_MIN_SHOWN applies from the next start', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(ctx, id, given({ rto: 5 }), settings)
      const today = '2026-03-14'
      const { minShown } = readConfig({ RATING_MIN_SHOWN: '2' })
      await applyMinShown(ctx.db, { today, minShown })
      expect(await shownStats(ctx, id)).toMatchObject({ ratings: 1, score: 0, rto: null })
      await applyMinShown(ctx.db, { today, minShown: 1 })
      expect(await shownStats(ctx, id)).toMatchObject({ ratings: 1, score: 5, rto: 5 })
    }))

  test('RATING_MIN_SHOWN holds the number back', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(ctx, id, given(), { minShown: 2, ratingBatch: 1 })
      expect(await companyRatings(ctx, id, { minShown: 2 })).toMatchObject({
        ratings: 1,
        score: null,
        isHeldBack: true,
        buckets: [],
      })
      expect(await shownStats(ctx, id)).toMatchObject({ ratings: 1, score: 0, rto: null })
      await rate(rater(ctx, 1), id, given({ rto: 2 }), { minShown: 2, ratingBatch: 1 })
      expect(await shownStats(ctx, id)).toMatchObject({ ratings: 2, score: 3, rto: 3 })
    }))
})

describe('surges', () => {
  test('a burst counts little at first and fully after 30 days, by the published formula', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 6; n++)
        await rate(on(rater(ctx, n), `2025-1${n % 3}-10`), id, given({ rto: 4 }), settings)
      for (let n = 10; n < 30; n++) await rate(rater(ctx, n), id, given({ rto: 1 }), settings)
      const first = await companyRatings(ctx, id, settings)
      expect(first.surgeSince).toBe('2026-03-14')
      // 6 ratings of 4 with 30, 20 of 1 with 1.
      expect(first.score).toBe((6 * 30 * 40 + 20 * 10) / 10 / (6 * 30 + 20))
      expect(scoreOf(first.buckets)).toBe(first.score)
      expect((await shownStats(ctx, id))?.score).toBe(first.score)

      const halfway = on(ctx, '2026-03-28')
      await refreshSurges(ctx.db, { today: '2026-03-28', ...settings })
      const second = await companyRatings(halfway, id, settings)
      expect(second.score).toBe((6 * 30 * 40 + 20 * 15 * 10) / 10 / (6 * 30 + 20 * 15))
      expect((await shownStats(ctx, id))?.score).toBe(second.score)

      const after = on(ctx, '2026-04-13')
      await refreshSurges(ctx.db, { today: '2026-04-13', ...settings })
      const last = await companyRatings(after, id, settings)
      expect(last).toMatchObject({ surgeSince: null, score: (6 * 4 + 20) / 26 })
      expect((await shownStats(ctx, id))?.score).toBe(last.score)
    }))

  test('a company that always gets many ratings has no surge, nor does a new one', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 12; n++) await rate(rater(ctx, n), id, given(), settings)
      expect((await companyRatings(ctx, id, settings)).surgeSince).toBeNull()
    }))
})

describe('what is published', () => {
  test('anyone can recompute the score and the categories exactly from the buckets', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      let seed = 7
      const random = (n: number) => {
        seed = (seed * 16_807) % 2_147_483_647
        return seed % n
      }
      for (let n = 0; n < 60; n++) {
        const stars = () => (random(3) === 0 ? null : ((random(5) + 1) as 1))
        const scores = { rto: (random(5) + 1) as 1, dei: stars(), workLife: stars() }
        const day = `2025-${String(1 + random(12)).padStart(2, '0')}-10`
        await rate(on(rater(ctx, random(45)), day), id, given(scores), settings)
      }
      const shown = await companyRatings(ctx, id, settings)
      expect(shown.ratings).toBeGreaterThan(20)
      expect(scoreOf(shown.buckets)).toBe(shown.score)
      for (const key of ['rto', 'dei', 'workLife', 'culture'] as const)
        expect(
          categoryScoreOf(shown.buckets.map((it) => ({ weight: it.weight, stars: it[key] }))),
        ).toBe(shown.categories[key].score)
      expect(shown.buckets.every(({ ratings }) => ratings >= 5)).toBe(true)
      // And the stored counters are what the rows say.
      const [counted] = await ctx.db.query<{ n: number; tenths: number }>(sql`
        select count(*)::integer as n, sum(10 * round((coalesce(rto, 0) + coalesce(dei, 0)
                 + coalesce(work_life, 0) + coalesce(culture, 0))::numeric
                 / num_nonnulls(rto, dei, work_life, culture), 1))::integer as tenths
          from ratings where company_id = ${id}`)
      expect(shown.buckets.reduce((sum, it) => sum + it.ratings, 0)).toBe(counted?.n)
      expect(shown.buckets.reduce((sum, it) => sum + it.tenths, 0)).toBe(counted?.tenths)
    }))

  test('breakdowns appear from five people on, if five more are outside them', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 9; n++)
        await rate(
          rater(ctx, n),
          id,
          given({ relation: n < 5 ? 'current' : 'former', rto: n < 5 ? 5 : 1 }),
          settings,
        )
      expect((await companyRatings(ctx, id, settings)).byRelation).toEqual([])
      await rate(rater(ctx, 9), id, given({ relation: 'former', rto: 1 }), settings)
      expect((await companyRatings(ctx, id, settings)).byRelation).toEqual([
        { key: 'current', ratings: 5, score: 5 },
        { key: 'former', ratings: 5, score: 1 },
      ])
      // A single candidate would be told by subtracting both.
      await rate(rater(ctx, 10), id, given({ relation: 'candidate' }), settings)
      expect((await companyRatings(ctx, id, settings)).byRelation).toHaveLength(1)
    }))

  test('notes appear as safe text, newest month first, without their tags', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(
        on(rater(ctx, 1), '2026-01-02'),
        id,
        given({ note: '<script>alert(1)</script> **calm**' }),
        settings,
      )
      await rate(ctx, id, given({ note: 'Later' }), settings)
      await rate(rater(ctx, 2), id, given(), settings)
      const { notes, next } = await companyNotes(ctx, id)
      expect(notes.map(({ month }) => month)).toEqual(['2026-03', '2026-01'])
      expect(notes[1]?.html).toContain('<strong>calm</strong>')
      expect(notes[1]?.html).not.toContain('<script')
      expect(next).toBeNull()
      const told = JSON.stringify([notes, await companyRatings(ctx, id, settings)])
      const tag = ratingTag(ctx, ctx.actor.account?.id as string, id)
      for (const secret of [tag, ctx.actor.authorKey, ctx.actor.account?.id])
        expect(told).not.toContain(secret)
    }))

  test('notes can be sorted by helpfulness, paged, and filtered by relation', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const notes: string[] = []
      for (let n = 0; n < 23; n++) {
        const relation = n % 2 ? 'former' : 'current'
        const input = given({ note: `Note ${n}`, relation })
        notes.push((await rate(rater(ctx, n + 1), id, input, settings)).id)
      }
      await voteHelpful(ctx, notes[7] as string, true, settings)
      await voteHelpful(rater(ctx, 30), notes[7] as string, true, settings)
      await voteHelpful(ctx, notes[4] as string, true, settings)
      const first = await companyNotes(ctx, id, { sort: 'helpful' })
      expect(first.notes.slice(0, 3).map(({ helpful }) => helpful)).toEqual([2, 1, 0])
      expect(first.notes[0]?.id).toBe(notes[7])
      const second = await companyNotes(ctx, id, { sort: 'helpful', after: first.next as string })
      const all = [...first.notes, ...second.notes].map((note) => note.id)
      expect(all.toSorted()).toEqual(notes.toSorted())
      expect(second.next).toBeNull()
      await expect(companyNotes(ctx, id, { after: first.next as string })).rejects.toMatchObject({
        status: 400,
      })
      const former = await companyNotes(ctx, id, { sort: 'helpful', relation: 'former' })
      expect(former.notes).toHaveLength(11)
      expect(former.notes[0]?.id).toBe(notes[7])
    }))

  test('each person can mark a note helpful once, but not their own', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const mine = await rate(ctx, id, given({ note: 'Ask for the desk plan' }), settings)
      await expect(voteHelpful(ctx, mine.id, true, settings)).rejects.toMatchObject({
        status: 403,
      })
      const other = rater(ctx, 1)
      const counted = async () => (await companyNotes(ctx, id)).notes[0]?.helpful
      for (const [isHelpful, n] of [
        [true, 1],
        [true, 1],
        [false, 0],
      ] as const) {
        expect(await voteHelpful(other, mine.id, isHelpful, settings)).toEqual({
          isHelpful,
          isCounted: true,
        })
        expect(await counted()).toBe(n)
      }
      await expect(
        voteHelpful(other, '00000000-0000-4000-8000-000000000bad', true, settings),
      ).rejects.toMatchObject({ status: 404 })
    }))
})

describe('the shuffle', () => {
  test('every rating is there after a shuffle, can be found and changed, and has one transaction', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (let n = 0; n < 40; n++)
        await rate(rater(ctx, n), id, given({ rto: ((n % 5) + 1) as 1, note: `n${n}` }), settings)
      const before = await ctx.db.query(sql`select * from ratings order by id`)
      const order = () =>
        ctx.db.query<{ note: string }>(sql`select note from ratings order by ctid`)
      const written = (await order()).map(({ note }) => note)
      await reorderTable(ctx.db, 'ratings')
      expect(await ctx.db.query(sql`select * from ratings order by id`)).toEqual(before)
      expect((await order()).map(({ note }) => note)).not.toEqual(written)
      const marks = await ctx.db.query(sql`select distinct xmin::text as mark from ratings`)
      expect(marks).toHaveLength(1)
      await rate(rater(ctx, 3), id, given({ rto: 1 }), settings)
      await reorderTable(ctx.db, 'ratings')
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 40 })
      expect(
        await ratingByTags(ctx, [ratingTag(ctx, rater(ctx, 3).actor.account?.id as string, id)]),
      ).toMatchObject({ rating: { rto: 1 } })
    }))

  test('a shuffle loses no rating given, changed or removed meanwhile', async () => {
    const db = outside()
    // Only a server has a second connection that could write meanwhile.
    const [company] = await db.query<{ id: string }>(sql`
      insert into companies (name, name_key)
      values ('Busy', 'busy') returning id`)
    const id = company?.id as string
    try {
      await as('dana', async (ctx) => {
        const open: Ctx = { ...ctx, db }
        const raters = Array.from({ length: 60 }, (_, n) => rater(open, 100 + n))
        for (const rater of raters.slice(0, 40)) await rate(rater, id, given({ rto: 2 }), settings)
        const meanwhile = async () => {
          for (const [n, rater] of raters.entries()) {
            if (n % 10 === 9 && n < 40) await removeRating(rater, id, settings)
            else await rate(rater, id, given({ rto: 4 }), settings)
          }
        }
        await Promise.all([
          meanwhile(),
          (async () => {
            for (let n = 0; n < 3; n++)
              for (const table of ['ratings', 'public_ratings']) await reorderTable(db, table)
          })(),
        ])
        expect(await companyRatings(open, id, settings)).toMatchObject({ ratings: 56, score: 4 })
        const [rows] = await db.query<{ n: number }>(
          sql`select count(*)::integer as n from ratings where company_id = ${id} and rto = 4`,
        )
        expect(rows?.n).toBe(56)
      })
    } finally {
      await db.query(sql`delete from companies where id = ${id}`)
    }
  })

  test('a shuffle isn’t stopped by the leftovers of a crashed one', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await rate(ctx, id, given(), settings)
      await ctx.db.query(sql`create schema nightly_1`)
      await ctx.db.query(sql`create table nightly_1.ratings (like ratings)`)
      await ctx.db.query(sql`create table nightly_1.changes as select id from ratings with no data`)
      await ctx.db.query(sql`
        create trigger nightly_1 after insert on ratings
          for each row execute function row_changed('insert into nightly_1.changes select ($1).id')`)
      await rate(rater(ctx, 1), id, given(), settings)
      await reorderTable(ctx.db, 'ratings')
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 2 })
    }))
})
