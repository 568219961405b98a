import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { withDatabase } from '#tests/support/database.ts'
import {
  type Event,
  emit,
  type Subscription,
  subscribe,
  transaction,
} from './server-context.server.ts'

const { as } = withDatabase()
const TEA_POURED: Event<{ cups: number }, string> = { name: 'tea-poured' }
const TEA_SPILT: Event<{ cups: number }, string> = { name: 'tea-spilt' }

test('subscribers get only their event, in order, and their answers are returned', () =>
  as('dana', async (ctx) => {
    const events = [
      subscribe(TEA_POURED, (_, { cups }) => `Erin drinks ${cups}`),
      subscribe(TEA_SPILT, () => 'Erin mops'),
      subscribe(TEA_POURED, async () => 'Ada waits'),
    ]
    expect(await emit({ ...ctx, events }, TEA_POURED, { cups: 2 })).toEqual([
      'Erin drinks 2',
      'Ada waits',
    ])
    expect(await emit(ctx, TEA_POURED, { cups: 2 })).toEqual([])
  }))

test('a subscriber that throws rolls back the command and the other subscribers’ work', () =>
  as('dana', async (ctx) => {
    const saved = () => ctx.db.query(sql`select name from categories where name like 'Tea%'`)
    const save = (db: typeof ctx.db, name: string) =>
      db.query(sql`insert into categories (name, companies) values (${name}, 1)`)
    const pour = (events: Subscription[]) =>
      transaction({ ...ctx, events }, async (ctx) => {
        await save(ctx.db, 'Tea')
        await emit(ctx, TEA_POURED, { cups: 1 })
      })
    const follows = subscribe(TEA_POURED, async ({ db }) => {
      await save(db, 'Tea of Erin')
      return 'saved'
    })
    const fails = subscribe(TEA_POURED, () => {
      throw new Error('The pot is empty')
    })
    await expect(pour([follows, fails])).rejects.toThrow('The pot is empty')
    expect(await saved()).toEqual([])
    await pour([follows])
    expect(await saved()).toHaveLength(2)
  }))
