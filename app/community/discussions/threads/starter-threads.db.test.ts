/** The made-up talk that a demo site opens with. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { loadStarterThreads } from './starter-threads.server.ts'
import { listThreads } from './thread-queries.server.ts'

const { as } = withDatabase()

test('some 60 threads about made-up companies are added once, with exact counters', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    expect(await loadStarterThreads(ctx)).toBeGreaterThan(55)
    expect(await loadStarterThreads(ctx)).toBe(0)
    const about = await ctx.db.query<{ demo: boolean }>(sql`
      select distinct company.demo from threads thread
        join companies company on company.id = thread.company_id`)
    expect(about).toEqual([{ demo: true }])
    const drift = await ctx.db.query(sql`
      select from threads thread
       where comments <> (select count(*) from comments where thread_id = thread.id)
          or score <> (select coalesce(sum(value), 0) from votes where subject_id = thread.id)
      union all
      select from company_stats stats
       where threads <> (select count(*) from threads where company_id = stats.company_id)
          or comments <> (select coalesce(sum(comments), 0) from threads
                           where company_id = stats.company_id)`)
    expect(drift).toEqual([])
    const future = await ctx.db.query(sql`
      select from comments where posted_minute > ${Math.floor(ctx.now().getTime() / 60_000)}`)
    expect(future).toEqual([])
    const { threads } = await listThreads(ctx, { sort: 'hot', period: 'all' })
    expect(threads.some(({ hasPoll }) => hasPoll)).toBe(true)
  }))
