/** Jobs at the demo companies, deleted with them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { JOB_OPEN_DAYS, type JobInput } from '../job.ts'
import { checkedJob } from './job-check.server.ts'
import { insertJobRow } from './job-commands.server.ts'

interface StarterJob extends JobInput {
  company: string
  postedDaysAgo: number
}

/** Only fills a site that never had a job. @returns how many were added */
export const loadStarterJobs = (ctx: DataContext): Promise<number> =>
  transaction(ctx, async ({ db, now }) => {
    // If two processes start at once, the second waits, and finds the jobs there.
    await db.query(sql`lock table job_postings in share row exclusive mode`)
    const [any] = await db.query(sql`
      select from job_postings union all select from deleted_jobs limit 1`)
    if (any) return 0
    const companies = await db.query<{ id: string; name: string }>(
      sql`select id, name from companies where demo`,
    )
    const jobs = await readJobs()
    const dayIn = (days: number) => dayOf(new Date(now().getTime() + days * DAY_MS))
    let added = 0
    for (const [n, { company: name, postedDaysAgo, ...job }] of jobs.entries()) {
      const company = companies.find((it) => it.name === name)
      if (!company) continue
      await insertJobRow(db, {
        company,
        job: checkedJob(job, false),
        idempotencyKey: `starter ${n}`,
        open: { posted: dayIn(-postedDaysAgo), validThrough: dayIn(JOB_OPEN_DAYS - postedDaysAgo) },
      })
      added++
    }
    return added
  })

const readJobs = async (): Promise<StarterJob[]> =>
  JSON.parse(await readFile(join(projectFolder, 'db/starter/demo-jobs.json'), 'utf8'))
