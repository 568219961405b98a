/** Writing jobs, and who sees and counts them. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { revokeClaim } from '#app/companies/claims/claim-commands.server.ts'
import { CHANGED_MEANWHILE } from '#app/kit/writing/edit-conflict.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { aJob } from '#tests/support/unlimited.ts'
import { jobContract } from './job.contract.ts'
import {
  JOB_DESCRIPTION_MAX,
  JOB_OPEN_DAYS,
  JOB_REFUSALS,
  JOBS_PER_COMPANY_MAX,
  type JobInput,
} from './job.ts'
import { editableJob, jobById, myJobs } from './job-queries.server.ts'
import {
  deleteJob,
  editJob,
  expireJobs,
  fillJob,
  JOB_POSTED_TASK,
  openJob,
  postJob,
} from './postings/job-commands.server.ts'
import { createJobCounts } from './postings/job-counts.server.ts'
import { listJobs } from './search/job-search.server.ts'

const { as } = withDatabase()

const SITE = 'https://kettle.example'
const input = (over: Partial<JobInput> = {}) =>
  aJob({
    description: 'Keeps **all** kettles boiling, in three shifts. <script>alert(1)</script>',
    tags: ['steam'],
    ...over,
  })
const post = (ctx: Ctx, companyId: string, over: Partial<JobInput> = {}, isDraft = false) =>
  postJob(ctx, { companyId, job: input(over), isDraft, idempotencyKey: crypto.randomUUID() })
type Name = 'vera' | 'dana' | 'ada' | 'erin'
const cast = {} as Record<Name, Ctx['actor']>
beforeAll(async () => {
  for (const name of ['vera', 'dana', 'ada', 'erin'] as const)
    await as(name, async ({ actor }) => {
      cast[name] = actor
    })
})
/** The same request by someone else. */
const runAs = <Result>(ctx: Ctx, name: Name, work: (ctx: Ctx) => Promise<Result>) =>
  work({ ...ctx, actor: cast[name] })
const inDays = (ctx: Ctx, days: number): Ctx => {
  const then = new Date(ctx.now().getTime() + days * 86_400_000)
  return { ...ctx, now: () => then }
}
const told = ({ db }: Ctx) =>
  db.query<{ payload: { id: string } }>(sql`
    select payload from job_queue where kind = ${JOB_POSTED_TASK} order by due_at`)

describe('a posted job', () => {
  test('erin’s job is open for sixty days, in the lists and on its page', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const posted = await post(ctx, companyId)
      expect(posted).toMatchObject({ status: 'open', path: `/jobs/${posted.id}-head-of-steam` })
      const job = await runAs(ctx, 'vera', (ctx) => jobById(ctx, posted.id, SITE))
      expect(job).toMatchObject({
        title: 'Head of steam',
        excerpt: expect.stringContaining('Keeps all kettles boiling'),
        company: { name: 'Erin and Sons', path: '/erin-and-sons', rating: null },
        places: [{ city: 'Berlin', country: 'DE' }],
        salary: { minimum: 50_000, maximum: 70_000, currency: 'EUR', period: 'year' },
        status: 'open',
        postedOn: '2026-03-14',
        postedDaysAgo: 0,
        validThrough: '2026-05-13',
        apply: { link: 'https://example.com/jobs/1', email: null },
      })
      expect(job.html).toContain('<strong>all</strong>')
      expect(job.html).not.toContain('<script')
      expect((await listJobs(ctx, { sort: 'newest', limit: 20 })).jobs).toHaveLength(1)
      expect(await told(ctx)).toEqual([{ payload: { id: posted.id } }])
    }))

  test('Spec §7.2: recent jobs are the three that were posted last, newest first', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      for (const [title, day] of [
        ['Second', 1],
        ['Fourth', 3],
        ['First', 0],
        ['Third', 2],
      ] as const)
        await post(inDays(ctx, day), companyId, { title })
      const asked = jobContract['GET /api/v1/jobs'].query.parse({ limit: 3 })
      const { jobs } = await listJobs(inDays(ctx, 3), asked)
      expect(jobs.map(({ title, postedDaysAgo }) => [title, postedDaysAgo])).toEqual([
        ['Fourth', 0],
        ['Third', 1],
        ['Second', 2],
      ])
    }))

  test('no stored data says who wrote a job', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const [row] = await ctx.db.query<{ kept: string }>(sql`
        select to_jsonb(job)::text || (select jsonb_agg(payload)::text from job_queue) as kept
          from job_postings job where id = ${id}`)
      expect(row?.kept).toContain('Head of steam')
      for (const secret of [
        ctx.actor.account?.id,
        ctx.actor.authorKey,
        ctx.actor.account?.sessionId,
      ])
        expect(row?.kept).not.toContain(secret)
      const answers = JSON.stringify([await jobById(ctx, id, SITE), await myJobs(ctx, undefined)])
      for (const secret of [
        ctx.actor.account?.id,
        ctx.actor.authorKey,
        ctx.actor.account?.username,
      ])
        if (secret !== 'Erin') expect(answers).not.toContain(secret)
    }))

  test('a form sent again after its job was deleted can be deleted again', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const idempotencyKey = crypto.randomUUID()
      for (let time = 0; time < 2; time++) {
        const { path } = await postJob(ctx, {
          companyId,
          job: input(),
          isDraft: false,
          idempotencyKey,
        })
        const [job] = (await listJobs(ctx, { sort: 'newest', limit: 50 })).jobs
        expect(job?.path).toBe(path)
        expect(await deleteJob(ctx, job?.id ?? '')).toEqual({ isDeleted: true })
      }
    }))

  test('a job that’s sent twice is posted once', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const idempotencyKey = crypto.randomUUID()
      const once = await postJob(ctx, { companyId, job: input(), isDraft: false, idempotencyKey })
      expect(
        await postJob(ctx, { companyId, job: input(), isDraft: false, idempotencyKey }),
      ).toEqual(once)
      expect((await myJobs(ctx, undefined)).jobs).toHaveLength(1)
      expect(await told(ctx)).toHaveLength(1)
    }))

  test('a used key refuses another job, and the same one as a draft', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const sent = { companyId, job: input(), isDraft: false, idempotencyKey: crypto.randomUUID() }
      const once = await postJob(ctx, sent)
      const used = { status: 409, code: 'idempotency-key-used' }
      const other = { ...sent, job: input({ title: 'Barista for the night' }) }
      await expect(postJob(ctx, other)).rejects.toMatchObject(used)
      await expect(postJob(ctx, { ...sent, isDraft: true })).rejects.toMatchObject(used)
      await editJob(ctx, once.id, input({ title: 'Changed since' }))
      expect(await postJob(ctx, sent)).toMatchObject({ id: once.id })
      expect((await myJobs(ctx, undefined)).jobs).toHaveLength(1)
    }))

  test.each(['dana', 'ada', 'olga'] as const)('%s can’t post without a claim', (name) =>
    as(name, async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      await expect(post(ctx, companyId)).rejects.toMatchObject({
        status: 403,
        message: JOB_REFUSALS.forbidden,
      })
    }),
  )

  test('erin posts only for her own company', () =>
    as('erin', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const [other] = await ctx.db.query<{ id: string }>(sql`
        insert into companies (name, name_key)
        values ('Other', 'other') returning id`)
      await expect(post(ctx, other?.id as string)).rejects.toMatchObject({
        message: JOB_REFUSALS.forbidden,
      })
    }))

  test('a pending claim gives no right to post', () =>
    as('dana', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`
        insert into employer_claims (account_id, company_id, status)
        values (${ctx.actor.account?.id}, ${companyId}, 'pending')`)
      await expect(post(ctx, companyId)).rejects.toMatchObject({
        status: 403,
        message: JOB_REFUSALS.forbidden,
      })
    }))

  test('a company has a limited number of jobs, and a filled one makes room', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      await ctx.db.query(sql`
        insert into job_postings (company_id, company_name, title, description, html, excerpt,
                                  remote_policy, employment_type, salary_currency, salary_period,
                                  status, idempotency_key)
        select ${companyId}, '', 'Draft ' || n, '', '', '', 'remote', 'full-time', 'EUR', 'year',
               'draft', 'draft ' || n
          from generate_series(2, ${JOBS_PER_COMPANY_MAX}::integer) n`)
      await expect(post(ctx, companyId)).rejects.toMatchObject({ status: 409 })
      await fillJob(ctx, id)
      await expect(post(ctx, companyId)).resolves.toMatchObject({ status: 'open' })
      await expect(openJob(ctx, id)).rejects.toMatchObject({ status: 409 })
    }))
})

test('a revoked claim closes its company’s jobs at once, and no others', () =>
  as('erin', async (ctx) => {
    const companyId = await giveErinHerCompany(ctx.db)
    const open = await post(ctx, companyId)
    const draft = await post(ctx, companyId, {}, true)
    const [other] = await ctx.db.query<{ id: string }>(sql`
      insert into companies (name, name_key, slug)
      values ('Other', 'other', 'other') returning id`)
    const [claim] = await ctx.db.query<{ id: string }>(sql`
      insert into employer_claims (account_id, company_id, status)
      values (${ctx.actor.account?.id}, ${other?.id}, 'approved') returning id`)
    const elsewhere = await post(ctx, other?.id as string)
    const statusOf = async (id: string) =>
      (
        await ctx.db.query<{ status: string }>(
          sql`select status from job_postings where id = ${id}`,
        )
      )[0]?.status
    await revokeClaim({ ...ctx, actor: cast.ada, events }, claim?.id as string)
    expect(await statusOf(elsewhere.id)).toBe('filled')
    expect(await statusOf(open.id)).toBe('open')
    expect(await statusOf(draft.id)).toBe('draft')
    await expect(openJob(ctx, elsewhere.id)).rejects.toMatchObject({ status: 403 })
  }))

describe('bad input gets a sentence', () => {
  const salary = input().salary
  const refused: [string, Partial<JobInput>, string][] = [
    [
      'a maximum below the minimum',
      { salary: { ...salary, minimum: 80_000 } },
      'The maximum salary is below the minimum',
    ],
    [
      'an unknown currency',
      { salary: { ...salary, currency: 'XYZ' } },
      'We don’t know this currency. Use a code such as EUR or USD.',
    ],
    [
      'no salary',
      { salary: { ...salary, minimum: null, maximum: null } },
      'Please give a minimum and a maximum salary',
    ],
    [
      'half a salary',
      { salary: { ...salary, maximum: null } },
      'Please give a minimum and a maximum salary',
    ],
    [
      'a salary of nothing',
      { salary: { ...salary, minimum: 0.001 } },
      'Please give a minimum and a maximum salary',
    ],
    [
      'a salary that is no number',
      { salary: { ...salary, minimum: Number.NaN } },
      'Please give a minimum and a maximum salary',
    ],
    [
      'a salary beyond all',
      { salary: { ...salary, maximum: 1e30 } },
      'A salary can be at most 100,000,000',
    ],
    [
      'a link that runs',
      { apply: { link: 'javascript:alert(1)', email: null } },
      'The application page must start with http:// or https://',
    ],
    [
      'a link of another kind',
      { apply: { link: 'ftp://example.com', email: null } },
      'The application page must start with http:// or https://',
    ],
    [
      'a link with a password',
      { apply: { link: 'https://erin:secret@example.com', email: null } },
      'The application page’s address can’t contain a username or password',
    ],
    [
      'a link into the house',
      { apply: { link: 'https://localhost/jobs', email: null } },
      'The application page must be on the public web, such as https://example.com',
    ],
    [
      'a link and an address',
      { apply: { link: 'https://example.com', email: 'jobs@example.com' } },
      'Please give a link or an email address, not both',
    ],
    [
      'no way to apply',
      { apply: { link: ' ', email: null } },
      'Please give a link or an email address for applications',
    ],
    [
      'an address of two lines',
      { apply: { link: null, email: 'jobs@example.com\nBcc: all@example.com' } },
      'This doesn’t look like an email address',
    ],
    [
      'an endless address',
      { apply: { link: null, email: `${'a'.repeat(250)}@example.com` } },
      'An email address can have at most 254 characters',
    ],
    [
      'hybrid without days',
      { remotePolicy: 'hybrid' },
      'Please say how many days a week people are in the office, from 1 to 4',
    ],
    [
      'hybrid of five days',
      { remotePolicy: 'hybrid', hybridDays: 5 },
      'Please say how many days a week people are in the office, from 1 to 4',
    ],
    [
      'hybrid of no days',
      { remotePolicy: 'hybrid', hybridDays: 0 },
      'Please say how many days a week people are in the office, from 1 to 4',
    ],
    [
      'an unknown region',
      { remotePolicy: 'remote', remoteRegions: ['DE', 'ZZ'] },
      'We don’t know the country "ZZ"',
    ],
    [
      'too many regions',
      {
        remotePolicy: 'remote',
        remoteRegions: 'AD AE AF AG AI AL AM AO AR AS AT AU AW AZ BA BB BD BE BF BG BH'.split(' '),
      },
      'A job can have at most 20 countries. Leave them out if there are more.',
    ],
    [
      'an unknown country',
      { places: [{ city: 'Brussels', country: 'EU' }] },
      'We don’t know the country "EU"',
    ],
    [
      'a country in small letters',
      { places: [{ city: 'Berlin', country: 'de' }] },
      'We don’t know the country "de"',
    ],
    [
      'a place without a city',
      { places: [{ city: ' ', country: 'DE' }] },
      'Each place needs a city and a country',
    ],
    ['no place', { places: [] }, 'Please say where people work'],
    [
      'no place of a hybrid job',
      { places: [], remotePolicy: 'hybrid', hybridDays: 2 },
      'Please say where people work',
    ],
    [
      'too many places',
      { places: Array.from({ length: 11 }, (_, n) => ({ city: `Town ${n}`, country: 'DE' })) },
      'A job can have at most 10 places',
    ],
    [
      'an endless city',
      { places: [{ city: 'x'.repeat(81), country: 'DE' }] },
      'A city’s name can have at most 80 characters',
    ],
    ['a short title', { title: ' Tea\u200b ' }, 'A title needs at least 4 characters'],
    ['a long title', { title: 'x'.repeat(121) }, 'A title can have at most 120 characters'],
    ['a title of signs', { title: '!!!!!' }, 'A title needs letters or numbers'],
    ['a title of fillers', { title: 'a\u3164\u3164\u3164' }, 'A title needs at least 4 characters'],
    [
      'a description that shows nothing',
      { description: '&nbsp; '.repeat(20) },
      'A description needs at least 40 characters',
    ],
    ['a short description', { description: 'Tea.' }, 'A description needs at least 40 characters'],
    [
      'a long description',
      { description: 'x'.repeat(JOB_DESCRIPTION_MAX + 1) },
      'A description can have at most 20,000 characters',
    ],
    [
      'too many tags',
      { tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) },
      'A job can have at most 10 tags',
    ],
    ['a long tag', { tags: ['x'.repeat(31)] }, 'A tag can have at most 30 characters'],
  ]

  test.each(refused)('%s', (_name, over, message) =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      await expect(post(ctx, companyId, over)).rejects.toMatchObject({ status: 400, message })
      const { id } = await post(ctx, companyId)
      await expect(editJob(ctx, id, input(over))).rejects.toMatchObject({ status: 400, message })
    }),
  )

  test('texts at their limit are accepted, whatever characters they have', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const far = '🫖'
      await post(ctx, companyId, {
        title: `Tea ${far.repeat(116)}`,
        description: far.repeat(JOB_DESCRIPTION_MAX),
        places: Array.from({ length: 10 }, (_, n) => ({
          city: `${n}${'語'.repeat(79)}`,
          country: 'JP',
        })),
        tags: Array.from({ length: 10 }, (_, n) => `${n}${far.repeat(29)}`),
        salary: { minimum: 1, maximum: 100_000_000, currency: 'KWD', period: 'hour' },
      })
      await post(ctx, companyId, {
        description: 'a b '.repeat(5_000),
        remotePolicy: 'remote',
        places: [],
      })
      const { jobs } = await listJobs(ctx, { sort: 'salary', limit: 20 })
      expect(jobs.map(({ salary }) => salary.currency)).toEqual(['KWD', 'EUR'])
    }))
})

describe('a draft', () => {
  test('a draft needs just a title, and opens once it’s complete', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const bare: Partial<JobInput> = {
        description: '',
        places: [],
        remotePolicy: 'hybrid',
        salary: { minimum: null, maximum: null, currency: '', period: 'year' },
        apply: { link: null, email: null },
      }
      const { id, status } = await post(ctx, companyId, bare, true)
      expect(status).toBe('draft')
      await expect(openJob(ctx, id)).rejects.toMatchObject({ status: 400 })
      expect(await editableJob(ctx, id)).toMatchObject({
        status: 'draft',
        validThrough: null,
        input: { salary: { minimum: null, maximum: null }, apply: { link: null, email: null } },
      })
      await editJob(ctx, id, input())
      expect(await told(ctx)).toEqual([])
      expect(await openJob(ctx, id)).toEqual({ status: 'open', validThrough: '2026-05-13' })
      expect(await told(ctx)).toEqual([{ payload: { id } }])
    }))

  test('a colleague’s edit meanwhile isn’t overwritten', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const { input: before } = await editableJob(ctx, id)
      const colleague = { ...before, salary: { ...before.salary, maximum: 99_000 } }
      await editJob(ctx, id, colleague, before)
      const mine = { ...before, title: 'Barista for the night' }
      await expect(editJob(ctx, id, mine, before)).rejects.toMatchObject({
        status: 409,
        message: CHANGED_MEANWHILE,
      })
      const there = await editableJob(ctx, id)
      expect(there.input).toMatchObject({ title: before.title, salary: colleague.salary })
      await editJob(ctx, id, mine, there.input)
      expect((await editableJob(ctx, id)).input.title).toBe('Barista for the night')
    }))

  test('a draft exists only for its own people, and is a 404 for anyone else', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId, {}, true)
      expect(await jobById(ctx, id, SITE)).toMatchObject({ status: 'draft', structuredData: null })
      for (const name of ['vera', 'dana', 'ada'] as const)
        await runAs(ctx, name, async (ctx) => {
          for (const asked of [
            () => jobById(ctx, id, SITE),
            () => editableJob(ctx, id),
            () => editJob(ctx, id, input()),
            () => openJob(ctx, id),
            () => fillJob(ctx, id),
            () => deleteJob(ctx, id),
          ])
            await expect(asked()).rejects.toMatchObject({ status: 404 })
        })
      expect((await listJobs(ctx, { sort: 'newest', limit: 20 })).jobs).toEqual([])
      expect((await listJobs(ctx, { sort: 'newest', limit: 20, company: companyId })).jobs).toEqual(
        [],
      )
    }))
})

describe('an open job', () => {
  test('only its own people can change, close, renew and delete an open job', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      await runAs(ctx, 'dana', async (ctx) => {
        for (const asked of [
          () => editableJob(ctx, id),
          () => editJob(ctx, id, input()),
          () => openJob(ctx, id),
          () => fillJob(ctx, id),
          () => deleteJob(ctx, id),
        ])
          await expect(asked()).rejects.toMatchObject({ status: 403 })
        expect(await myJobs(ctx, companyId)).toEqual({ companies: [], jobs: [] })
      })
      const edited = await editJob(
        ctx,
        id,
        input({ title: 'Chief of steam', places: [{ city: 'Ulm', country: 'DE' }] }),
      )
      expect(edited).toEqual({ path: `/jobs/${id}-chief-of-steam`, status: 'open' })
      const inUlm = await listJobs(ctx, { sort: 'newest', limit: 20, place: 'Ulm' })
      expect(inUlm.jobs.map(({ title }) => title)).toEqual(['Chief of steam'])
      expect((await listJobs(ctx, { sort: 'newest', limit: 20, place: 'Berlin' })).jobs).toEqual([])
      await deleteJob(ctx, id)
      await expect(jobById(ctx, id, SITE)).rejects.toMatchObject({ status: 404 })
    }))

  test('a filled job’s page says so, and no one can apply', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      expect(await fillJob(ctx, id)).toMatchObject({ status: 'filled' })
      const job = await runAs(ctx, 'vera', (ctx) => jobById(ctx, id, SITE))
      expect(job).toMatchObject({
        status: 'filled',
        apply: { link: null, email: null },
        structuredData: null,
      })
      expect((await listJobs(ctx, { sort: 'newest', limit: 20 })).jobs).toEqual([])
    }))

  test('an open job expires after sixty days at once, and renewing it starts over', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const last = inDays(ctx, JOB_OPEN_DAYS)
      expect((await jobById(last, id, SITE)).status).toBe('open')
      expect((await listJobs(last, { sort: 'newest', limit: 20 })).jobs).toHaveLength(1)
      const over = inDays(ctx, JOB_OPEN_DAYS + 1)
      const page = await jobById(over, id, SITE)
      expect(page).toMatchObject({ status: 'expired', structuredData: null })
      expect(page.apply).toEqual({ link: null, email: null })
      for (const query of [{}, { company: companyId }, { search: 'steam' }])
        expect((await listJobs(over, { sort: 'newest', limit: 20, ...query })).jobs).toEqual([])
      await expireJobs(over)
      const [kept] = await ctx.db.query(sql`
        select status, (select count(*)::integer from job_entries) as entries from job_postings`)
      expect(kept).toEqual({ status: 'expired', entries: 0 })
      expect(await openJob(over, id)).toEqual({ status: 'open', validThrough: '2026-07-13' })
      expect((await listJobs(over, { sort: 'newest', limit: 20 })).jobs).toHaveLength(1)
    }))

  test('an open job doesn’t return to the top, or alert again, if it’s closed, opened or renewed', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const later = inDays(ctx, 9)
      await fillJob(later, id)
      await openJob(later, id)
      await openJob(later, id)
      expect(await jobById(later, id, SITE)).toMatchObject({
        postedOn: '2026-03-14',
        postedDaysAgo: 9,
        validThrough: '2026-05-22',
      })
      const [listed] = (await listJobs(later, { sort: 'newest', limit: 20 })).jobs
      expect(listed).toMatchObject({ postedOn: '2026-03-14', postedDaysAgo: 9 })
      expect(await told(ctx)).toHaveLength(1)
    }))

  test('an open job goes with its company, is found by its new name, and stays when its author leaves', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      await ctx.db.query(sql`update companies set name = 'Samovar House' where id = ${companyId}`)
      const found = await listJobs(ctx, { sort: 'newest', limit: 20, search: 'samovar' })
      expect(found.jobs.map((job) => job.id)).toEqual([id])
      await ctx.db.query(sql`delete from accounts where id = ${ctx.actor.account?.id}`)
      expect((await jobById(ctx, id, SITE)).status).toBe('open')
      await ctx.db.query(sql`delete from companies where id = ${companyId}`)
      const left = await ctx.db.query(
        sql`select from job_entries union all select from job_postings`,
      )
      expect(left).toEqual([])
    }))

  test('an open job shows its company’s rating as lists of companies do', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      await post(ctx, companyId)
      const [{ rating } = { rating: 0 }] = await ctx.db.query<{ rating: number | null }>(sql`
        update company_stats set score = 4.25 where company_id = ${companyId}
        returning nullif(score, 0) as rating`)
      const { jobs } = await listJobs(ctx, { sort: 'newest', limit: 20 })
      expect(jobs[0]?.company.rating).toBe(rating)
    }))
})

describe('counting who looks', () => {
  const people = (ctx: Ctx, count: number) =>
    Array.from({ length: count }, (_, n): Ctx => ({ ...ctx, network: `192.0.2.${n}` }))

  test('a person counts once a day, and the number shows from five on, in steps of five', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const own = async () => {
        const [job] = (await myJobs(ctx, companyId)).jobs
        return [job?.views, job?.applies]
      }
      await runAs(ctx, 'vera', async (vera) => {
        let now = ctx.now()
        const counts = createJobCounts({ ...ctx, now: () => now }, { hasRateLimits: false })
        for (const somebody of [...people(vera, 4), ...people(vera, 4)])
          await counts.count(somebody, id, 'view')
        await counts.flush()
        expect(await own()).toEqual([null, null])
        for (const somebody of people(vera, 7)) await counts.count(somebody, id, 'view')
        for (const somebody of people(vera, 5)) await counts.count(somebody, id, 'apply')
        await counts.flush()
        expect(await own()).toEqual([5, 5])
        now = inDays(ctx, 1).now()
        for (const somebody of people(vera, 3)) await counts.count(somebody, id, 'view')
        await counts.stop()
        expect(await own()).toEqual([10, 5])
      })
    }))

  test('a person who asks many times at the same moment counts once', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      await runAs(ctx, 'vera', async (vera) => {
        const counts = createJobCounts(ctx, { hasRateLimits: false })
        await Promise.all(Array.from({ length: 30 }, () => counts.count(vera, id, 'view')))
        await counts.flush()
      })
      const [sum] = await ctx.db.query(sql`select sum(views)::integer as views from job_postings`)
      expect(sum).toEqual({ views: 1 })
    }))

  test('views by its own people, and of drafts, closed or missing jobs, don’t count', () =>
    as('erin', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await post(ctx, companyId)
      const draft = await post(ctx, companyId, {}, true)
      const closed = await post(ctx, companyId)
      await fillJob(ctx, closed.id)
      const counts = createJobCounts(ctx, { hasRateLimits: false })
      await counts.count(ctx, id, 'view')
      for (const other of [draft.id, closed.id, crypto.randomUUID()])
        for (const vera of people(ctx, 2))
          await runAs(vera, 'vera', (ctx) => counts.count(ctx, other, 'view'))
      await counts.flush()
      const [sum] = await ctx.db.query(sql`select sum(views)::integer as views from job_postings`)
      expect(sum).toEqual({ views: 0 })
    }))

  test('only two numbers are stored', () =>
    as('dana', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await runAs(ctx, 'erin', (erin) => post(erin, companyId))
      const before = await ctx.db.query(
        sql`select to_jsonb(job) - 'views' as kept from job_postings job`,
      )
      const counts = createJobCounts(ctx, { hasRateLimits: false })
      await counts.count(ctx, id, 'view')
      await counts.flush()
      expect(
        await ctx.db.query(sql`select to_jsonb(job) - 'views' as kept from job_postings job`),
      ).toEqual(before)
      expect(await ctx.db.query(sql`select from interaction_keys`)).toEqual([])
    }))
})
