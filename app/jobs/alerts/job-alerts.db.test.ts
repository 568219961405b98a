/** Who is told of which new job, on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  chooseAlerts,
  follow as followCompany,
} from '#app/companies/following/follow-commands.server.ts'
import { alertOfJobs } from '#app/moderation/notifications/alerts.server.ts'
import {
  DIGEST_MAIL_TASK,
  type DigestPayload,
} from '#app/moderation/notifications/digest.server.ts'
import { chooseDigest } from '#app/moderation/notifications/digest-choice.server.ts'
import { ALERT_JOBS_MAX } from '#app/moderation/notifications/notification.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { ctxAs, stranger } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  ALL_NOTIFICATIONS,
  listNotifications,
  markAllRead,
  queueDigests,
  unreadCount,
} from '#tests/support/unlimited.ts'
import type { JobFilters, JobLocation } from '../job.ts'
import { locationKeys } from '../postings/job-check.server.ts'
import { JOB_ALERTS_MAX } from './job-alert.ts'
import { createAlert, deleteAlert } from './job-alert-commands.server.ts'
import { fittingAlerts, myAlerts } from './job-alert-queries.server.ts'

const { as, outside } = withDatabase()

const keyOf = (ctx: Ctx) => ctx.actor.authorKey as string

interface Over {
  title?: string
  description?: string
  places?: JobLocation[]
  remote?: string
  type?: string
  currency?: string
  minimum?: number
  maximum?: number
  status?: string
  validThrough?: string
}
async function aJob({ db }: Ctx, companyId: string, over: Over = {}) {
  const { title = 'Data engineer', description = 'You look after pipelines.' } = over
  const { places = [{ city: 'Berlin', country: 'DE' }], remote = 'hybrid' } = over
  const { type = 'full-time', currency = 'EUR', minimum = 60_000, maximum = 80_000 } = over
  const { status = 'open', validThrough = '2026-05-13' } = over
  const [job] = await db.query<{ id: string }>(sql`
    insert into job_postings
      (company_id, company_name, title, description, html, excerpt, places, place_keys,
       remote_policy, employment_type, salary_minimum, salary_maximum, salary_currency,
       salary_period, yearly_minimum, yearly_maximum, salary_worth, apply_link, status,
       posted_date, valid_through, idempotency_key)
    values (${companyId}, (select name from companies where id = ${companyId}), ${title},
            ${description}, '', '', ${JSON.stringify(places)}::text::jsonb,
            ${locationKeys(places, [])}, ${remote}, ${type}, ${minimum}, ${maximum}, ${currency},
            'year', ${minimum}, ${maximum}, 90000, 'https://erin.example/jobs', ${status},
            '2026-03-14', ${validThrough}, ${crypto.randomUUID()})
    returning id`)
  return job?.id as string
}

/** Opens a job, and does the job that follows. */
async function post(ctx: Ctx, companyId: string, over?: Over) {
  const id = await aJob(ctx, companyId, over)
  await alertOfJobs(ctx, [{ id }])
  return id
}
async function anotherCompany({ db }: Ctx) {
  const [company] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug)
    values ('Brew Works', 'brew works', 'brew-works') returning id`)
  return company?.id as string
}
async function follow(ctx: Ctx, companyId: string, isPaused = false, jobs = true) {
  await followCompany(ctx, companyId)
  await chooseAlerts(ctx, companyId, { isPaused, jobs })
}
const notificationsOf = async (ctx: Ctx) => (await listNotifications(ctx)).notifications
const rows = async ({ db }: Ctx) =>
  (await db.query(sql`select from notifications where event = 'job'`)).length
const close = ({ db }: Ctx, id: string) =>
  db.query(sql`update job_postings set status = 'filled' where id = ${id}`)

describe('an alert', () => {
  test.each(['vera', 'dana', 'erin', 'ada'] as const)(
    '%s makes an alert, sees it and deletes it',
    (name) =>
      as(name, async (ctx) => {
        const company = await giveErinHerCompany(ctx.db)
        const wishes = { search: 'data', company, place: 'Berlin', salary: 60_000 }
        const { id } = await createAlert(ctx, wishes)
        expect(await myAlerts(ctx)).toEqual({
          alerts: [{ id, company: 'Erin and Sons', filters: { ...wishes, currency: 'USD' } }],
        })
        const { id: younger } = await createAlert(ctx, { remote: 'remote', type: 'contract' })
        expect((await myAlerts(ctx)).alerts.map((alert) => alert.id)).toEqual([younger, id])
        expect((await myAlerts(ctx)).alerts[0]).toEqual({
          id: younger,
          company: null,
          filters: { remote: 'remote', type: 'contract' },
        })
        expect(await deleteAlert(ctx, id)).toEqual({ isDeleted: true })
        expect((await myAlerts(ctx)).alerts).toHaveLength(1)
        await expect(deleteAlert(ctx, id)).rejects.toMatchObject({ status: 404 })
      }),
  )

  test('an alert that’s made twice is one, however it’s spelled', () =>
    as('dana', async (dana) => {
      const first = await createAlert(dana, { search: ' data  engineer ', salary: 5, place: '' })
      const second = await createAlert(dana, {
        search: 'data engineer',
        salary: 5,
        currency: 'usd',
      })
      expect(second).toEqual(first)
      // A currency alone says nothing.
      await createAlert(dana, { type: 'contract', currency: 'EUR' })
      expect((await myAlerts(dana)).alerts).toHaveLength(2)
    }))

  test('an alert for everything or nothing is refused with a sentence', () =>
    as('dana', async (dana) => {
      const refused: [JobFilters, number, string][] = [
        [{}, 400, 'Choose at least one filter first, so we know what to look for'],
        [{ search: ' \0 ', currency: 'EUR' }, 400, 'Choose at least one filter first'],
        [{ salary: 1, currency: 'QQQ' }, 400, 'We don’t know this currency'],
        [
          { search: 'the of' },
          400,
          'Use words that appear in job posts, so the alert can find matches',
        ],
        [
          { search: '-'.repeat(200) },
          400,
          'Use words that appear in job posts, so the alert can find matches',
        ],
        [{ company: crypto.randomUUID() }, 404, 'We couldn’t find this company'],
      ]
      for (const [wishes, status, message] of refused)
        await expect(createAlert(dana, wishes)).rejects.toMatchObject({
          status,
          message: expect.stringContaining(message),
        })
      expect(await myAlerts(dana)).toEqual({ alerts: [] })
    }))

  test(`an alert beyond ${JOB_ALERTS_MAX} is refused with a sentence, but not one that exists`, () =>
    as('dana', async (dana) => {
      for (let n = 1; n <= JOB_ALERTS_MAX; n++) await createAlert(dana, { salary: n })
      await createAlert(dana, { salary: 1 })
      await expect(createAlert(dana, { salary: 99 })).rejects.toMatchObject({
        status: 409,
        message: 'You have 20 job alerts, which is the limit. Delete one first.',
      })
      expect((await myAlerts(dana)).alerts).toHaveLength(JOB_ALERTS_MAX)
      await createAlert(stranger(dana, 1), { salary: 99 })
    }))

  test('no one else sees or deletes dana’s alert', () =>
    as('dana', async (dana) => {
      const { id } = await createAlert(dana, { remote: 'remote' })
      const other = stranger(dana, 1)
      expect(await myAlerts(other)).toEqual({ alerts: [] })
      await expect(deleteAlert(other, id)).rejects.toMatchObject({
        status: 404,
        message: 'This job alert doesn’t exist',
      })
      expect((await myAlerts(dana)).alerts).toHaveLength(1)
      const nobody = ctxAs(dana, visitor)
      expect(await myAlerts(nobody)).toEqual({ alerts: [] })
      await expect(createAlert(nobody, { type: 'contract' })).rejects.toMatchObject({ status: 401 })
      await expect(deleteAlert(nobody, id)).rejects.toMatchObject({ status: 401 })
    }))
})

describe('a new job', () => {
  test('dana hears of a new job that fits her alert, with its pay and a link', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await createAlert(dana, { search: 'data' })
      const id = await post(dana, acme)
      const path = `/jobs/${id}-data-engineer`
      expect(await notificationsOf(dana)).toEqual([
        {
          id: expect.any(String),
          kind: 'alert',
          event: 'job',
          reason: null,
          count: 1,
          isRead: false,
          at: '2026-03-14T09:26Z',
          isAboutComment: false,
          thread: null,
          company: { id: acme, name: 'Erin and Sons', path: '/erin-and-sons' },
          job: { id, title: 'Data engineer', path },
          score: null,
          href: path,
          by: null,
          excerpt: '€60,000–80,000 a year · Berlin, Germany',
        },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  /** Each against the same job: a full-time one in Berlin, hybrid, up to €80,000. */
  test.each([
    ['words', { search: 'data' }, { search: 'nurse' }],
    ['words of the description', { search: 'pipeline' }, { search: 'data nurse' }],
    ['the company’s name', { search: 'erin data' }, { search: 'brew data' }],
    ['words next to each other', { search: '"data engineer"' }, { search: '"engineer data"' }],
    ['one word or another', { search: 'nurse or data' }, { search: 'nurse or midwife' }],
    ['without a word', { search: '-nurse' }, { search: '-data' }],
    ['a word without another', { search: 'data -nurse' }, { search: 'data -engineer' }],
    ['letters with marks', { search: 'dáta engineer' }, { search: 'dåtå nurse' }],
    ['two words for one', { search: 'data-engineer' }, { search: 'data-nurse' }],
    ['a quoted sign', { search: "data o'clock or engineer" }, { search: "o'clock" }],
    ['a city', { place: 'berlin' }, { place: 'Hamburg' }],
    ['a country', { place: 'Germany' }, { place: 'Austria' }],
    ['a city of a country', { place: 'Berlin, Germany' }, { place: 'Berlin, Austria' }],
    ['how remote it is', { remote: 'hybrid' }, { remote: 'remote' }],
    ['its type', { type: 'full-time' }, { type: 'contract' }],
    ['its salary', { salary: 80_000, currency: 'EUR' }, { salary: 80_001, currency: 'EUR' }],
    ['the same currency', { salary: 1, currency: 'EUR' }, { salary: 1, currency: 'USD' }],
    [
      'all of it',
      {
        search: 'data',
        place: 'Berlin',
        type: 'full-time',
        remote: 'hybrid',
        salary: 7,
        currency: 'EUR',
      },
      { search: 'data', place: 'Berlin', type: 'full-time', remote: 'hybrid', salary: 7 },
    ],
    ['words there', { search: 'data', place: 'Berlin' }, { search: 'nurse', place: 'Berlin' }],
  ] satisfies [string, JobFilters, JobFilters][])(
    'a new job fits by %s, or doesn’t',
    (_, fits, fitsNot) =>
      as('dana', async (dana) => {
        const acme = await giveErinHerCompany(dana.db)
        const other = stranger(dana, 1)
        await createAlert(dana, fits)
        await createAlert(other, fitsNot)
        await post(dana, acme)
        expect([
          (await notificationsOf(dana)).length,
          (await notificationsOf(other)).length,
        ]).toEqual([1, 0])
      }),
  )

  test('a new job fits only an alert for its own company', () =>
    as('dana', async (dana) => {
      const [acme, brew] = [await giveErinHerCompany(dana.db), await anotherCompany(dana)]
      await createAlert(dana, { company: acme, search: 'data' })
      await createAlert(stranger(dana, 1), { company: brew })
      await post(dana, acme, { title: 'Head nurse', description: 'You look after people.' })
      expect(await rows(dana)).toBe(0)
      await post(dana, acme)
      expect(await notificationsOf(dana)).toHaveLength(1)
      expect(await notificationsOf(stranger(dana, 1))).toEqual([])
    }))

  test('followers hear of a new job, unless they paused or unchecked that', () =>
    as('dana', async (dana) => {
      const [acme, brew] = [await giveErinHerCompany(dana.db), await anotherCompany(dana)]
      await follow(dana, acme)
      await follow(stranger(dana, 1), acme, true)
      await follow(stranger(dana, 2), acme, false, false)
      await follow(stranger(dana, 3), brew)
      await post(dana, acme)
      expect(await notificationsOf(dana)).toMatchObject([{ event: 'job', count: 1 }])
      expect(await rows(dana)).toBe(1)
    }))

  test('a new job is one piece of news to a follower with two matching alerts', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follow(dana, acme)
      await createAlert(dana, { search: 'data' })
      await createAlert(dana, { place: 'Berlin' })
      await post(dana, acme)
      expect(await notificationsOf(dana)).toMatchObject([{ count: 1 }])
      expect(await rows(dana)).toBe(1)
    }))

  test('new jobs count up until dana reads of them, then start over, and several link to the company', () =>
    as('dana', async (dana) => {
      const [acme, brew] = [await giveErinHerCompany(dana.db), await anotherCompany(dana)]
      await createAlert(dana, { type: 'full-time' })
      await post(dana, acme)
      await post(dana, acme, { title: 'Data analyst' })
      await post(dana, brew, { title: 'Head of tea' })
      const news = await notificationsOf(dana)
      expect(news.find(({ company }) => company?.id === acme)).toMatchObject({
        count: 2,
        job: { title: 'Data analyst' },
        href: '/erin-and-sons?tab=jobs',
        excerpt: 'Latest: Data analyst',
      })
      expect(news.find(({ company }) => company?.id === brew)).toMatchObject({ count: 1 })
      await markAllRead(dana)
      await post(dana, acme, { title: 'Data scientist' })
      expect((await notificationsOf(dana)).filter(({ isRead }) => !isRead)).toMatchObject([
        { count: 1, job: { title: 'Data scientist' } },
      ])
    }))

  test('a new job is news once, however often its job runs, read or not, alone or with others', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await createAlert(dana, { search: 'data' })
      const jobs: { id: string }[] = []
      for (let n = 0; n < 3; n++) jobs.push({ id: await aJob(dana, acme) })
      const [first, second, third] = jobs as [{ id: string }, { id: string }, { id: string }]
      for (const together of [[first, first], [first, second], [second], [third, first]])
        await alertOfJobs(dana, together)
      expect(await notificationsOf(dana)).toMatchObject([{ count: 3, job: { id: third.id } }])
      await markAllRead(dana)
      await alertOfJobs(dana, jobs)
      expect(await notificationsOf(dana)).toMatchObject([{ count: 3, isRead: true }])
    }))

  test('a new job is news once, even if two processes do its job at once', async () => {
    const dana = { ...(await as('dana', async (ctx) => ctx)), db: outside() }
    const acme = await giveErinHerCompany(dana.db)
    const readers = Array.from({ length: 12 }, (_, n) => stranger(dana, 100 + n))
    for (const reader of readers) await createAlert(reader, { search: 'data' })
    const jobs: { id: string }[] = []
    for (let n = 0; n < 4; n++) jobs.push({ id: await aJob(dana, acme) })
    await Promise.all(
      [jobs, [...jobs].reverse(), ...jobs.map((job) => [job])].map((together) =>
        alertOfJobs(dana, together),
      ),
    )
    const counts = new Set(
      (await Promise.all(readers.map(notificationsOf))).map(([news]) => news?.count),
    )
    await dana.db.query(sql`delete from companies where id = ${acme}`)
    await dana.db.query(sql`delete from job_alerts`)
    expect([...counts]).toEqual([4])
    expect(await rows(dana)).toBe(0)
  })

  test('a new job that’s closed before its job runs is no news', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follow(dana, acme)
      await createAlert(dana, { search: 'data' })
      await post(dana, acme, { status: 'filled' })
      await post(dana, acme, { validThrough: '2026-03-13' })
      await alertOfJobs(dana, [{ id: crypto.randomUUID() }])
      expect(await rows(dana)).toBe(0)
    }))

  test('a new job stops being news once it’s filled, expired or gone, and others still are', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follow(dana, acme)
      const filled = await post(dana, acme, { title: 'Number one' })
      const left = await post(dana, acme, { title: 'Number two' })
      const expired = await post(dana, acme, { title: 'Number three' })
      const gone = await post(dana, acme, { title: 'Number four' })
      await close(dana, filled)
      await dana.db.query(sql`
        update job_postings set valid_through = '2026-03-13' where id = ${expired}`)
      await dana.db.query(sql`delete from job_postings where id = ${gone}`)
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, job: { title: 'Number two' }, href: `/jobs/${left}-number-two` },
      ])
      await close(dana, left)
      expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
    }))

  test(`new jobs count up to ${ALERT_JOBS_MAX}`, () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follow(dana, acme)
      const jobs: { id: string }[] = []
      for (let n = 0; n < ALERT_JOBS_MAX + 3; n++) jobs.push({ id: await aJob(dana, acme) })
      await alertOfJobs(dana, jobs.slice(0, 2))
      await alertOfJobs(dana, jobs)
      expect(await notificationsOf(dana)).toMatchObject([
        { count: ALERT_JOBS_MAX, job: { id: jobs.at(-1)?.id } },
      ])
    }))

  test('Spec §1: no one hears of a job on the site or by mail while enableJobs is off', () =>
    as('dana', async (dana) => {
      await follow(dana, await giveErinHerCompany(dana.db))
      await chooseDigest(dana, 'daily')
      await post(dana, '00000000-0000-4000-8000-00000000c001')
      const off = { ...ALL_NOTIFICATIONS, hasJobs: false }
      expect(await unreadCount(dana, off)).toEqual({ unread: 0 })
      expect(await listNotifications(dana, undefined, off)).toEqual({
        notifications: [],
        next: null,
        unread: 0,
      })
      await queueDigests(dana, off)
      expect(await queued(dana)).toEqual([])
    }))

  test('a new job counts once in the mail about news, apart from alerts', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await createAlert(dana, { search: 'data' })
      await chooseDigest(dana, 'daily')
      const id = await post(dana, acme)
      await close(dana, id)
      await queueDigests(dana)
      expect(await queued(dana)).toEqual([])
      await post(dana, acme, { title: 'Secret data' })
      for (let n = 0; n < 2; n++) await queueDigests(dana)
      const [payload, ...more] = await queued(dana)
      expect(more).toEqual([])
      // What is sealed may spell anything.
      const { sealedEmail: _, unsubscribe: __, ...told } = payload as DigestPayload
      expect(told).toEqual({ jobs: 1, alerts: 0, replies: 0, mentions: 0, decisions: 0 })
    }))

  test('S5: a job’s news has no key, and doesn’t say who else gets it', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follow(dana, acme)
      await createAlert(stranger(dana, 1), { search: 'data' })
      await post(dana, acme)
      const told = JSON.stringify([
        await listNotifications(dana),
        await myAlerts(stranger(dana, 1)),
      ])
      for (const secret of [keyOf(dana), keyOf(stranger(dana, 1))])
        expect(told).not.toContain(secret)
    }))

  test('a new job finds its alerts by their keys, without reading them all', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await dana.db.query(sql`
        insert into job_alerts (key, own_row_key, person_sealed, search, keys)
        select key, key, key, 'word' || n, array['w:word' || n]
          from generate_series(1, 3000) n,
               lateral substr(sha256(n::text::bytea), 1, 16) as of(key)`)
      await dana.db.query(sql`analyze job_alerts`)
      const plan = await dana.db.query(
        sql`explain ${fittingAlerts(dana, [await aJob(dana, acme)])}`,
      )
      expect(JSON.stringify(plan)).toContain('job_alerts_by_key')
    }))
})

const queued = async (ctx: Ctx) =>
  (
    await ctx.db.query<{ payload: DigestPayload }>(
      sql`select payload from job_queue where kind = ${DIGEST_MAIL_TASK}`,
    )
  ).map(({ payload }) => payload)
