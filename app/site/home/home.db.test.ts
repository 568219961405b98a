/** What the home page shows of discussions, on a real database. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { DISCUSSED_THREADS } from '#app/community/discussions/discussion.ts'
import { listThreads } from '#app/community/discussions/threads/thread-queries.server.ts'
import { insertCompanies } from '#app/companies/company-commands.server.ts'
import { follow } from '#app/companies/following/follow-commands.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { startThread } from '#tests/support/unlimited.ts'
import { homeHandlers } from './feature.server.ts'

const { as } = withDatabase()

const followed = async (ctx: Ctx) => {
  const answer = await homeHandlers['GET /api/v1/my/follows/discussions'](ctx, {} as never)
  return answer.threads.map(({ title }) => title)
}

async function companyIds(ctx: Ctx, ...names: string[]) {
  await insertCompanies(
    ctx,
    names.map((name) => ({ name, category: 'Tea' })),
  )
  const rows = await ctx.db.query<{ id: string }>(
    sql`select id from companies where name = any(${names}) order by name`,
  )
  return rows.map(({ id }) => id) as [string, ...string[]]
}

const about = (ctx: Ctx, companyId: string, title: string) =>
  startThread(ctx, {
    title,
    body: 'They say **nobody** comes in.',
    topics: [],
    companyId,
    name: 'pseudonym',
    idempotencyKey: randomUUID(),
  })

test('dana sees the hottest threads about companies she follows, and nothing else', () =>
  as('dana', async (ctx) => {
    const [acme, bolt, cord] = await companyIds(ctx, 'Acme', 'Bolt', 'Cord')
    expect(await followed(ctx)).toEqual([])
    await follow(ctx, acme)
    await follow(ctx, bolt as string)
    expect(await followed(ctx)).toEqual([])
    const quiet = await about(ctx, acme, 'Is it quiet at Acme?')
    const loud = await about(ctx, bolt as string, 'Is it loud at Bolt?')
    const hidden = await about(ctx, acme, 'Is it hidden at Acme?')
    await about(ctx, cord as string, 'Is it far away at Cord?')
    await ctx.db.query(sql`update threads set hidden = 'removed' where id = ${hidden.id}`)
    await ctx.db.query(sql`update threads set score = 50 where id = ${loud.id}`)
    await ctx.db.query(sql`update threads set score = 5 where id = ${quiet.id}`)
    expect(await followed(ctx)).toEqual(['Is it loud at Bolt?', 'Is it quiet at Acme?'])
    expect(await followed({ ...ctx, actor: visitor })).toEqual([])
  }))

test('both sections show six threads at most', () =>
  as('ada', async (ctx) => {
    const [acme] = await companyIds(ctx, 'Acme')
    await follow(ctx, acme)
    for (let n = 0; n < DISCUSSED_THREADS + 1; n++) await about(ctx, acme, `Is it day ${n} yet?`)
    expect(await followed(ctx)).toHaveLength(6)
    const page = await listThreads(ctx, { sort: 'hot', period: 'week', limit: DISCUSSED_THREADS })
    expect(page.threads).toHaveLength(6)
    const rest = { sort: 'hot', period: 'week', after: page.next ?? undefined } as const
    expect((await listThreads(ctx, rest)).threads).toHaveLength(1)
  }))
