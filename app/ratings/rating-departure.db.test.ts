/** Taking one's ratings away, and what stays of them when the account goes. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { deleteOwnAccount } from '#app/identity/accounts/account-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { rate } from '#tests/support/raters.ts'
import { forgetRater, voteHelpful } from './rating-commands.server.ts'
import type { RatingInput } from './rating-input.ts'
import { companyRatings, ratingsExport } from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'

const { as } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }
const given: RatingInput = {
  rto: 2,
  dei: null,
  workLife: null,
  culture: 5,
  officeDays: 3,
  relation: 'former',
  era: '2020',
  note: 'Mind the desk plan',
}

const idOf = ({ actor }: Ctx) => actor.account?.id as string
/** dana and ada have rated, and found each other's notes helpful. */
async function twoRaters(ctx: Ctx, ada: Ctx['actor']) {
  const id = await giveErinHerCompany(ctx.db)
  const other: Ctx = { ...ctx, actor: ada }
  const mine = await rate(ctx, id, given, settings)
  const theirs = await rate(other, id, { ...given, note: 'Not mine' }, settings)
  await voteHelpful(ctx, theirs.id, true, { ratingBatch: 1 })
  await voteHelpful(other, mine.id, true, { ratingBatch: 1 })
  return { id, other, mine, theirs }
}
const adasActor = () => as('ada', async ({ actor }) => actor)

describe('an export of ratings', () => {
  test('dana’s export has what she rated and found helpful, and nothing of others', async () => {
    const ada = await adasActor()
    await as('dana', async (ctx) => {
      const { theirs } = await twoRaters(ctx, ada)
      const told = await ratingsExport(ctx)
      expect(told).toMatchObject({
        ratings: [
          { company: 'Erin and Sons', month: '2026-03', rto: 2, note: 'Mind the desk plan' },
        ],
        helpfulNotes: [theirs.id],
      })
      expect(told.ratings).toHaveLength(1)
      expect(JSON.stringify(told)).not.toContain(ratingTag(ctx, idOf(ctx), theirs.id))
    })
  })

  test('a visitor has rated nothing', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      expect(await ratingsExport(ctx)).toEqual({ ratings: [], helpfulNotes: [] })
    }))
})

describe('the end of an account', () => {
  test('the queue has the account only sealed', () =>
    as('dana', async (ctx) => {
      await deleteOwnAccount(ctx, 'Dana', 'keep')
      const [job] = await ctx.db.query<{ payload: Record<string, string> }>(
        sql`select payload from job_queue where kind = 'account-deleted'`,
      )
      expect(JSON.stringify(job)).not.toContain(idOf(ctx))
      expect(testSecrets.open(job?.payload.sealedAccount as string)).toBe(idOf(ctx))
    }))

  test('dana removes her ratings: they go, the numbers follow, and others’ stay', async () => {
    const ada = await adasActor()
    await as('dana', async (ctx) => {
      const { id, other } = await twoRaters(ctx, ada)
      const leave = () => forgetRater(ctx, { accountId: idOf(ctx), posts: 'remove' }, settings)
      await leave()
      await leave()
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 1 })
      expect((await ratingsExport(ctx)).ratings).toEqual([])
      expect((await ratingsExport(other)).ratings).toHaveLength(1)
      const left = await ctx.db.query(sql`
        select from rating_votes where rating_id not in (select id from public_ratings)`)
      expect(left).toEqual([])
    })
  })

  test('dana keeps her ratings: they count, and trying all accounts doesn’t find their author', async () => {
    const ada = await adasActor()
    await as('dana', async (ctx) => {
      const { id, mine, other } = await twoRaters(ctx, ada)
      await forgetRater(ctx, { accountId: idOf(ctx), posts: 'keep' }, settings)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 2 })
      const rows = await ctx.db.query<{ id: string; tag: string }>(sql`select id, tag from ratings`)
      const tags = [idOf(ctx), idOf(other)].map((account) => ratingTag(ctx, account, id))
      expect(rows.filter(({ tag }) => tags.includes(tag))).toHaveLength(1)
      // It looks like all others, so the table doesn't reveal who left.
      const parted = rows.find((row) => row.id === mine.id)?.tag as string
      expect(parted).toMatch(/^[\w-]{43}$/)
      expect(await ctx.db.query(sql`select from public_ratings where helpful = 1`)).toHaveLength(2)
    })
  })
})
