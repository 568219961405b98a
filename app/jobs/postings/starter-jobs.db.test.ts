/** The made-up jobs that a demo site opens with. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { jobById } from '../job-queries.server.ts'
import { loadStarterJobs } from './starter-jobs.server.ts'

const { as } = withDatabase()

const jobIds = (ctx: Parameters<typeof jobById>[0]) =>
  ctx.db.query<{ id: string }>(sql`select id from job_postings`)

test('six complete jobs at made-up companies are added once, and alert no one', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    expect(await loadStarterJobs(ctx)).toBe(6)
    expect(await loadStarterJobs(ctx)).toBe(0)
    const jobs = await jobIds(ctx)
    expect(jobs).toHaveLength(6)
    for (const { id } of jobs) {
      const job = await jobById(ctx, id, 'https://kettle.example')
      expect(job).toMatchObject({ status: 'open', demo: true, structuredData: null })
      expect(job.apply.link).toMatch(/^https:\/\/[a-z-]+\.example\//)
    }
    expect(await ctx.db.query(sql`select from job_queue where kind = 'job-posted'`)).toEqual([])
  }))

test('the jobs go with their companies, and don’t come back', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    await loadStarterJobs(ctx)
    await ctx.db.query(sql`delete from companies where demo`)
    expect(await jobIds(ctx)).toEqual([])
    expect(await loadStarterJobs(ctx)).toBe(0)
  }))

test('a site of real companies gets no made-up jobs', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    expect(await loadStarterJobs(ctx)).toBe(0)
  }))
