/** Every process is told about a changed rating, for both paths of the company's page. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { rate } from '#tests/support/raters.ts'
import { removeRating, voteHelpful } from './rating-commands.server.ts'
import { onRatingChange } from './rating-events.server.ts'

const { as, outside } = withDatabase()

test('giving, changing and removing a rating each announce that the company’s pages changed', async () => {
  const db = outside()
  const ctx: Ctx = { ...(await as('dana', async (ctx) => ctx)), db }
  const vera = await as('vera', async ({ actor }) => actor)
  const [company] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug)
    values ('Nestlé & 茶', 'nestle & 茶', 'nestle-茶') returning id`)
  const id = company?.id as string
  const paths = [`/company/${id}`, '/nestle-%E8%8C%B6']
  let heard: string[] = []
  await onRatingChange(db, (path) => heard.push(path))
  const eventsAfter = async (change: () => Promise<unknown>) => {
    heard = []
    await change()
    // What is removed is told twice: in the transaction, and as every change after it.
    await expect.poll(() => new Set(heard)).toEqual(new Set(paths))
  }
  const rating = {
    ...({ rto: 3, dei: null, workLife: null, culture: null } as const),
    ...{ officeDays: null, relation: null, era: null, note: 'Calm' },
  }
  let note = ''
  await eventsAfter(async () => {
    note = (await rate(ctx, id, rating, { minShown: 1, ratingBatch: 1 })).id
  })
  await eventsAfter(() => rate(ctx, id, { ...rating, rto: 5 }, { minShown: 1, ratingBatch: 1 }))
  await eventsAfter(() => voteHelpful({ ...ctx, actor: vera }, note, true, { ratingBatch: 1 }))
  await eventsAfter(() => removeRating(ctx, id, { minShown: 1, ratingBatch: 1 }))
})
