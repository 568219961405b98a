/** Limits on how many someone may have hold even for simultaneous requests. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { OPEN_SUGGESTIONS_MAX } from '#app/companies/edits/company-edit.ts'
import { editCompany } from '#app/companies/edits/edit-commands.server.ts'
import { follow } from '#app/companies/following/follow-commands.server.ts'
import { FOLLOWS_MAX } from '#app/companies/following/following.ts'
import { HANDOVER_BYTES, KEY_BYTES } from '#app/identity/credentials/credential.ts'
import { keepHandover, takeHandover } from '#app/identity/credentials/credential-commands.server.ts'
import { JOB_ALERTS_MAX, SAVED_JOBS_MAX } from '#app/jobs/alerts/job-alert.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { saveJob } from '#app/jobs/saved/saved-jobs.server.ts'
import { slow } from './support/amounts.ts'
import { withDatabase } from './support/database.ts'

const { as, outside } = withDatabase()

const AT_ONCE = 8

interface Companies {
  dana: Ctx
  /** More than dana may follow. */
  ids: string[]
}

/** Commits, because a transaction would hide what happens at once. */
async function withCompanies(work: (companies: Companies) => Promise<void>) {
  const db = outside()
  const dana = { ...(await as('dana', async (ctx) => ctx)), db }
  try {
    const companies = await db.query<{ id: string }>(sql`
      insert into companies (name, name_key, slug)
      select 'Company ' || n, 'company ' || n, 'company-' || n
        from generate_series(1, ${FOLLOWS_MAX + AT_ONCE}) n returning id`)
    await work({ dana, ids: companies.map(({ id }) => id) })
  } finally {
    await db.query(sql`delete from job_alerts`)
    await db.query(sql`delete from companies`)
  }
}

/** Leaves room for one, then requests several at once. */
async function ask(most: number, one: (n: number) => Promise<unknown>) {
  for (let n = 0; n < most - 1; n++) await one(n)
  return Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => one(most - 1 + n)))
}
const done = (tries: PromiseSettledResult<unknown>[]) =>
  tries.filter(({ status }) => status === 'fulfilled').length

slow.test('dana follows no more companies than she can', () =>
  withCompanies(async ({ dana, ids }) => {
    for (const id of ids.slice(0, FOLLOWS_MAX - 1)) await follow(dana, id)
    const tries = ids.slice(FOLLOWS_MAX - 1, FOLLOWS_MAX - 1 + AT_ONCE)
    expect(done(await Promise.allSettled(tries.map((id) => follow(dana, id))))).toBe(1)
  }),
)

test('only one device takes a secret that another handed over, while it lasts', async () => {
  const db = outside()
  const now = (seconds = 0) => ({ db, now: () => new Date(Date.UTC(2026, 2, 14, 12, 0, seconds)) })
  const id = Buffer.alloc(KEY_BYTES, 7).toString('base64url')
  const sealed = Buffer.alloc(HANDOVER_BYTES, 1).toString('base64url')
  const take = (seconds = 0) => takeHandover(now(seconds), id)
  await keepHandover(now(), id, sealed)
  await expect(keepHandover(now(), id, sealed)).rejects.toMatchObject({ code: 'conflict' })
  const tries = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => take(119)))
  expect(done(tries)).toBe(1)
  expect(tries.find(({ status }) => status === 'fulfilled')).toMatchObject({ value: { sealed } })

  await keepHandover(now(), id, sealed)
  await expect(take(120)).rejects.toMatchObject({ code: 'gone' })
  // The next one clears what no one took.
  const other = Buffer.alloc(KEY_BYTES, 8).toString('base64url')
  await keepHandover(now(), id, sealed)
  await keepHandover(now(121), other, sealed)
  expect(await db.query(sql`select from handovers`)).toHaveLength(1)
  await takeHandover(now(121), other)
})

test('dana has no more job alerts, saved jobs and open suggestions than she can', () =>
  withCompanies(async ({ dana, ids }) => {
    const salaries = (n: number) => createAlert(dana, { salary: n + 1 })
    expect(done(await ask(JOB_ALERTS_MAX, salaries))).toBe(1)
    const suggest = (n: number) =>
      editCompany(dana, ids[n] as string, {
        changes: { description: { from: null, to: `It is the number ${n}.` } },
        reason: '',
      })
    expect(done(await ask(OPEN_SUGGESTIONS_MAX, suggest))).toBe(1)
    const jobs = await dana.db.query<{ id: string }>(sql`
      insert into job_postings (company_id, company_name, title, description, html, excerpt,
                                remote_policy, employment_type, salary_minimum, salary_maximum,
                                salary_currency, salary_period, apply_link, status, posted_date,
                                valid_through, idempotency_key)
      select ${ids[0]}, '', 'Job ' || n, '', '', '', 'remote', 'full-time', 1, 2, 'EUR', 'year',
             'https://jobs.example', 'open', '2026-03-01', '2026-04-01', 'job ' || n
        from generate_series(1, ${SAVED_JOBS_MAX + AT_ONCE}) n returning id`)
    expect(done(await ask(SAVED_JOBS_MAX, (n) => saveJob(dana, jobs[n]?.id as string)))).toBe(1)
  }))
