/** Which jobs people keep, on a real database. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { PolicySettings } from '#app/api/policy.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { ALL_ON, routesOf } from '#tests/support/api.ts'
import { ctxAs, stranger } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { SAVED_JOBS_MAX } from '../alerts/job-alert.ts'
import { createAlert } from '../alerts/job-alert-commands.server.ts'
import { myAlerts } from '../alerts/job-alert-queries.server.ts'
import { savedJobHandlers } from '../feature.server.ts'
import { savedJobContract } from '../job.contract.ts'
import {
  forgetJob,
  forgetJobSeeker,
  savedJobIds,
  savedJobs,
  savedJobsExport,
  saveJob,
} from './saved-jobs.server.ts'

const { as } = withDatabase()
async function aJob(
  { db }: Ctx,
  companyId: string,
  over: { title?: string; status?: string } = {},
) {
  const { title = 'Data engineer', status = 'open' } = over
  const day = status === 'draft' ? null : '2026-03-14'
  const [job] = await db.query<{ id: string }>(sql`
    insert into job_postings
      (company_id, company_name, title, description, html, excerpt, remote_policy, employment_type,
       salary_minimum, salary_maximum, salary_currency, salary_period, yearly_minimum,
       yearly_maximum, salary_worth, apply_link, status, posted_date, valid_through, idempotency_key)
    values (${companyId}, 'Erin and Sons', ${title}, 'Pipes.', '<p>Pipes.</p>', 'Pipes.', 'remote',
            'full-time', 60000, 80000, 'EUR', 'year', 60000, 80000, 90000,
            'https://erin.example/jobs', ${status}, ${day}, ${day && '2026-05-13'},
            ${crypto.randomUUID()})
    returning id`)
  return job?.id as string
}

const routesFor = (ctx: Ctx, settings?: Partial<PolicySettings>) =>
  routesOf(savedJobContract, savedJobHandlers, ctx, settings)

test.each(['vera', 'dana', 'erin', 'ada'] as const)('%s saves a job and removes it again', (name) =>
  as(name, async (ctx) => {
    const id = await aJob(ctx, await giveErinHerCompany(ctx.db))
    for (let n = 0; n < 2; n++) expect(await saveJob(ctx, id)).toEqual({ isSaved: true })
    expect(await savedJobIds(ctx)).toEqual({ jobIds: [id] })
    expect(await savedJobs(ctx)).toMatchObject({
      jobs: [
        {
          id,
          title: 'Data engineer',
          path: `/jobs/${id}-data-engineer`,
          company: { name: 'Erin and Sons' },
          salary: { minimum: 60_000, maximum: 80_000, currency: 'EUR', period: 'year' },
          status: 'open',
        },
      ],
    })
    for (let n = 0; n < 2; n++) expect(await forgetJob(ctx, id)).toEqual({ isSaved: false })
    expect(await savedJobs(ctx)).toEqual({ jobs: [] })
  }),
)

test('saved jobs are newest first, marked if filled or expired, and gone if deleted', () =>
  as('dana', async (dana) => {
    const company = await giveErinHerCompany(dana.db)
    const ids: string[] = []
    for (const title of ['First one', 'Second one', 'Third one', 'Fourth one']) {
      ids.push(await aJob(dana, company, { title }))
      await saveJob(dana, ids.at(-1) as string)
    }
    const [first, second, third] = ids as [string, string, string]
    await dana.db.query(sql`update job_postings set status = 'filled' where id = ${first}`)
    await dana.db.query(
      sql`update job_postings set valid_through = '2026-03-13' where id = ${second}`,
    )
    await dana.db.query(sql`delete from job_postings where id = ${third}`)
    const { jobs } = await savedJobs(dana)
    expect(jobs.map(({ title, status }) => [title, status])).toEqual([
      ['Fourth one', 'open'],
      ['Second one', 'expired'],
      ['First one', 'filled'],
    ])
    expect((await savedJobIds(dana)).jobIds).toHaveLength(3)
  }))

test('dana’s saved jobs can’t be seen or changed by anyone else', () =>
  as('dana', async (dana) => {
    const id = await aJob(dana, await giveErinHerCompany(dana.db))
    await saveJob(dana, id)
    const other = stranger(dana, 1)
    expect([await savedJobs(other), await savedJobIds(other)]).toEqual([
      { jobs: [] },
      { jobIds: [] },
    ])
    await forgetJob(other, id)
    expect(await savedJobIds(dana)).toEqual({ jobIds: [id] })
    expect(JSON.stringify(await savedJobs(dana))).not.toContain(dana.actor.authorKey)
  }))

test('a draft or a missing job can’t be saved', () =>
  as('erin', async (erin) => {
    const draft = await aJob(erin, await giveErinHerCompany(erin.db), { status: 'draft' })
    for (const id of [draft, crypto.randomUUID()])
      await expect(saveJob(erin, id)).rejects.toMatchObject({
        status: 404,
        message: 'This job doesn’t exist',
      })
  }))

test('a browser without an anonymous id has saved nothing, and is asked for an id', () =>
  as('vera', async (vera) => {
    const id = await aJob(vera, await giveErinHerCompany(vera.db))
    const ctx = ctxAs(vera, visitor)
    expect([await savedJobs(ctx), await savedJobIds(ctx)]).toEqual([{ jobs: [] }, { jobIds: [] }])
    await expect(saveJob(ctx, id)).rejects.toMatchObject({ status: 401 })
    await expect(forgetJob(ctx, id)).rejects.toMatchObject({ status: 401 })
  }))

test(`more than ${SAVED_JOBS_MAX} saved jobs are refused with a sentence, and the existing ones stay`, () =>
  as('dana', async (dana) => {
    const company = await giveErinHerCompany(dana.db)
    const one = await aJob(dana, company)
    for (let n = 0; n < SAVED_JOBS_MAX; n++) await saveJob(dana, await aJob(dana, company))
    await expect(saveJob(dana, one)).rejects.toMatchObject({
      status: 409,
      message: 'You’ve saved 200 jobs, which is the limit. Remove one first.',
    })
    const [known] = (await savedJobIds(dana)).jobIds
    await saveJob(dana, known as string)
    expect((await savedJobs(dana)).jobs).toHaveLength(SAVED_JOBS_MAX)
  }))

test('deleting an account deletes its saved jobs and alerts only, and they can be exported before', () =>
  as('dana', async (dana) => {
    const id = await aJob(dana, await giveErinHerCompany(dana.db))
    for (const ctx of [dana, stranger(dana, 1)]) {
      await saveJob(ctx, id)
      await createAlert(ctx, { search: 'pipes', salary: 50_000, currency: 'EUR' })
    }
    expect(await savedJobsExport(dana)).toEqual({
      savedJobs: [{ title: 'Data engineer', company: 'Erin and Sons', jobId: id }],
      jobAlerts: [
        {
          search: 'pipes',
          company: null,
          place: null,
          remote: null,
          type: null,
          salary: 50_000,
          currency: 'EUR',
        },
      ],
    })
    await forgetJobSeeker(dana, rootOf(dana) as Buffer)
    expect([await savedJobIds(dana), await myAlerts(dana)]).toEqual([
      { jobIds: [] },
      { alerts: [] },
    ])
    expect((await savedJobIds(stranger(dana, 1))).jobIds).toEqual([id])
    expect((await myAlerts(stranger(dana, 1))).alerts).toHaveLength(1)
  }))

const ROUTES = (id: string) =>
  [
    ['GET', '/api/v1/my/saved-jobs', undefined, 200],
    ['GET', '/api/v1/my/saved-jobs/ids', undefined, 200],
    ['PUT', `/api/v1/jobs/${id}/saved`, { isSaved: true }, 200],
    ['GET', '/api/v1/my/job-alerts', undefined, 200],
    ['POST', '/api/v1/my/job-alerts', { remote: 'remote' }, 201],
  ] as const

test('Spec §1: saved jobs and alerts don’t exist while enableJobs is off', () =>
  as('dana', async (dana) => {
    const id = await aJob(dana, await giveErinHerCompany(dana.db))
    const { id: alert } = await createAlert(dana, { type: 'contract' })
    const [on, off] = [
      routesFor(dana),
      routesFor(dana, { flags: { ...ALL_ON, enableJobs: false } }),
    ]
    const routes = [
      ...ROUTES(id),
      ['DELETE', `/api/v1/my/job-alerts/${alert}`, undefined, 200] as const,
    ]
    for (const [method, url, payload, status] of routes) {
      expect((await off.inject({ method, url, payload })).statusCode).toBe(404)
      expect((await on.inject({ method, url, payload })).statusCode).toBe(status)
    }
  }))

test('nonsense is a 400 over HTTP', () =>
  as('dana', async (dana) => {
    const app = routesFor(dana)
    const id = crypto.randomUUID()
    for (const [method, url, payload] of [
      ['PUT', '/api/v1/jobs/nonsense/saved', { isSaved: true }],
      ['PUT', `/api/v1/jobs/${id}/saved`, {}],
      ['POST', '/api/v1/my/job-alerts', { remote: 'sometimes' }],
      ['POST', '/api/v1/my/job-alerts', { salary: -1 }],
      ['POST', '/api/v1/my/job-alerts', {}],
      ['POST', '/api/v1/my/job-alerts', { search: 'a'.repeat(201) }],
    ] as const)
      expect((await app.inject({ method, url, payload })).statusCode).toBe(400)
  }))

test('vera saves and removes all the time and has to wait', () =>
  as('dana', async (dana) => {
    const id = await aJob(dana, await giveErinHerCompany(dana.db))
    const app = routesFor(dana, { hasRateLimits: true })
    const codes: number[] = []
    for (let n = 0; n < 121; n++)
      codes.push(
        (
          await app.inject({
            method: 'PUT',
            url: `/api/v1/jobs/${id}/saved`,
            payload: { isSaved: n % 2 === 0 },
          })
        ).statusCode,
      )
    expect(codes.filter((code) => code === 200)).toHaveLength(120)
    expect(codes.at(-1)).toBe(429)
  }))
