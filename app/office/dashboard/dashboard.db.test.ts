/** Issue 7: the employer's dashboard. Who sees it, what is told, and that what was told stands. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { departedKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { approveClaim } from '#app/companies/claims/claim-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { ALL_ON, callsOf } from '#tests/support/api.ts'
import { authored, madeUpPerson } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { DASHBOARD_REFUSALS } from './dashboard.ts'
import { companyDashboard, dashboardCsv, myDashboards } from './dashboard-queries.server.ts'
import { dashboardHandlers } from './feature.server.ts'
import {
  RELEASE_DASHBOARD_TASK,
  type ReleaseSettings,
  releaseDashboards,
} from './release-task.server.ts'

const { as, castOn } = withDatabase()

/** Tuesdays: on each of them the week before is told. */
const TUESDAY = '2026-03-10'
const NEXT_TUESDAY = '2026-03-17'
const USUAL = { weeks: '26', category: undefined } as const

const release = (ctx: Ctx, day: string, settings: Partial<ReleaseSettings> = {}) =>
  releaseDashboards(
    { ...ctx, now: () => new Date(`${day}T08:00:00Z`) },
    { minShown: 1, hasJobs: false, ...settings },
  )

const dashboard = (ctx: Ctx, id: string, hasJobs = false) =>
  companyDashboard(ctx, id, USUAL, { hasJobs, ratingsWait: false })

/** A thread of each of these people about the company, all on one day. */
async function threads({ db }: Ctx, companyId: string, day: string, ...people: string[]) {
  const ids: string[] = []
  for (const key of people) {
    const id = randomUUID()
    const its = authored(key, id)
    await db.query(sql`
      insert into threads (id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html,
                           excerpt, posted_minute, idempotency_key)
      values (${id}, ${companyId}, ${its.key}, ${its.ownRowKey}, ${its.personSealed}, 'Calm heron', false, 'How is it there?', '', '', '',
              ${Date.parse(day) / 60_000 + 700}, ${id})`)
    ids.push(id)
  }
  return ids
}

async function comments({ db }: Ctx, threadId: string, day: string, ...people: string[]) {
  for (const [i, key] of people.entries()) {
    const id = randomUUID()
    const its = authored(key, threadId, id)
    await db.query(sql`
      insert into comments (id, thread_id, key, own_row_key, person_sealed, author_name, is_visitor, body, html,
                            posted_minute, place, idempotency_key)
      values (${id}, ${threadId}, ${its.key}, ${its.ownRowKey}, ${its.personSealed}, 'Calm heron', false,
              'Fine.', '', ${Date.parse(day) / 60_000 + 800}, ${i + 1}, ${randomUUID()})`)
  }
}

interface Answers {
  rto?: number
  dei?: number
  workLife?: number
  culture?: number
  officeDays?: number
}
async function ratings({ db }: Ctx, companyId: string, month: string, n: number, given: Answers) {
  for (let i = 0; i < n; i++)
    await db.query(sql`
      insert into public_ratings (id, company_id, month, rto, dei, work_life, culture, office_days)
      values (${randomUUID()}, ${companyId}, ${`${month}-01`}, ${given.rto ?? null},
              ${given.dei ?? null}, ${given.workLife ?? null}, ${given.culture ?? null},
              ${given.officeDays ?? null})`)
}

async function followers({ db }: Ctx, companyId: string, from: number, to: number) {
  for (let i = from; i < to; i++)
    await db.query(sql`
      insert into follows (key, own_row_key, person_sealed, company_id)
      select key, key, key, ${companyId} from (
        select substr(sha256(convert_to(${`${companyId} follower ${i}`}, 'UTF8')), 1, 16) as key) one`)
}

const FIVE = ['ann', 'ben', 'cem', 'dot', 'eve']

describe('who sees a dashboard', () => {
  test('erin sees her company’s dashboard', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      expect((await dashboard(ctx, id)).company.name).toBe('Erin and Sons')
      expect(await myDashboards(ctx)).toEqual({
        companies: [{ id, name: 'Erin and Sons', path: '/erin-and-sons' }],
      })
    }))
  test('dana can’t see a dashboard, and a sentence says so', async () => {
    await as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await expect(dashboard(ctx, id)).rejects.toMatchObject({
        status: 403,
        message: DASHBOARD_REFUSALS.forbidden,
      })
      expect(await myDashboards(ctx)).toEqual({ companies: [] })
    })
  })
  test('erin sees no dashboard once her claim is revoked, and none of another company', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`update employer_claims set status = 'revoked'`)
      await expect(dashboard(ctx, id)).rejects.toMatchObject({ status: 403 })
      await expect(dashboard(ctx, randomUUID())).rejects.toMatchObject({ status: 403 })
    }))
  test('ada sees any company’s dashboard, and a 404 if there’s no such company', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      expect((await dashboard(ctx, id)).until).toBeNull()
      await expect(dashboard(ctx, randomUUID())).rejects.toMatchObject({ status: 404 })
    }))
  test('no one sees a dashboard while its flag is off', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const call = callsOf(
        dashboardContract,
        dashboardHandlers({ hasJobs: false, ratingsWait: false }),
        {
          flags: { ...ALL_ON, enableDashboard: false },
        },
      )(ctx)
      await expect(
        call('GET /api/v1/companies/{id}/dashboard', { params: { id }, query: USUAL }),
      ).rejects.toMatchObject({ status: 404 })
      await expect(call('GET /api/v1/my/dashboards')).rejects.toMatchObject({ status: 404 })
    }))
})

test('an approved claim has the numbers counted at once, of its company alone', () =>
  as('erin', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    const other = randomUUID()
    await ctx.db.query(sql`
      insert into companies (id, name, name_key, slug, website)
      values (${other}, 'Acme', 'acme', 'acme', 'https://acme.com')`)
    const [claim] = await ctx.db.query<{ id: string }>(sql`
      insert into employer_claims (account_id, company_id, status, method, domain, is_verified)
      values (${ctx.actor.account?.id}, ${other}, 'pending', 'dns', 'acme.com', true) returning id`)
    await threads(ctx, other, '2026-03-02', ...FIVE)
    const { ada } = castOn(ctx)
    await approveClaim({ ...ada, events }, claim?.id ?? '')
    const [task, ...more] = await ctx.db.query<{ payload: { companyId: string } }>(sql`
      select payload from job_queue where kind = ${RELEASE_DASHBOARD_TASK}`)
    expect([task?.payload.companyId, more]).toEqual([other, []])
    await releaseDashboards(
      { ...ctx, now: () => new Date(`${TUESDAY}T08:00:00Z`) },
      { minShown: 1, hasJobs: false },
      task?.payload.companyId,
    )
    expect(await dashboard(ctx, other)).toMatchObject({ until: '2026-03-08', threads: { n: 5 } })
    expect((await dashboard(ctx, id)).until).toBeNull()
  }))

describe('posts', () => {
  test('the current week isn’t shown, and last week shows from its Tuesday on', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await threads(ctx, id, '2026-03-11', ...FIVE)
      for (const day of ['2026-03-11', '2026-03-15', '2026-03-16']) {
        await release(ctx, day)
        expect((await dashboard(ctx, id)).threads).toEqual({ spans: [], n: null })
      }
      await release(ctx, NEXT_TUESDAY)
      const { threads: told, until } = await dashboard(ctx, id)
      expect(told).toEqual({ spans: [{ from: '2026-03-09', to: '2026-03-15', n: 5 }], n: 5 })
      expect(until).toBe('2026-03-15')
    }))
  test('four people’s posts aren’t shown until a fifth person writes', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const [thread] = await threads(
        ctx,
        id,
        '2026-03-02',
        ...FIVE.slice(0, 4),
        ...FIVE.slice(0, 4),
      )
      await comments(ctx, thread as string, '2026-03-03', 'ann', 'ben', 'cem', 'ann', 'dot')
      await release(ctx, TUESDAY)
      expect(await dashboard(ctx, id)).toMatchObject({
        threads: { spans: [], n: null },
        comments: { spans: [], n: null },
      })
      await threads(ctx, id, '2026-03-12', 'eve')
      await release(ctx, NEXT_TUESDAY)
      expect((await dashboard(ctx, id)).threads.spans).toEqual([
        { from: '2026-03-02', to: '2026-03-15', n: 9 },
      ])
    }))
  test('several deleted accounts don’t count as several people', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (const name of ['gone 1', 'gone 2', 'gone 3'])
        await ctx.db.query(sql`
          insert into deleted_accounts (key) values (${departedKey(madeUpPerson(name).root)})`)
      await threads(ctx, id, '2026-03-02', ...FIVE.slice(0, 4), 'gone 1', 'gone 2', 'gone 3')
      await release(ctx, TUESDAY)
      expect((await dashboard(ctx, id)).threads.n).toBeNull()
      await threads(ctx, id, '2026-03-09', 'eve')
      await release(ctx, NEXT_TUESDAY)
      expect((await dashboard(ctx, id)).threads.n).toBe(8)
    }))
  test('hidden and deleted posts don’t count', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const [shown, held] = await threads(ctx, id, '2026-03-02', ...FIVE, 'fay')
      await comments(ctx, shown as string, '2026-03-03', ...FIVE, 'fay', 'gus')
      await comments(ctx, held as string, '2026-03-03', 'hal', 'ida')
      await ctx.db.query(sql`update threads set hidden = 'held' where id = ${held}`)
      await ctx.db.query(
        sql`update comments set hidden = 'removed' where key = ${authored('fay', shown as string).key}`,
      )
      await ctx.db.query(
        sql`update comments set is_deleted = true where key = ${authored('gus', shown as string).key}`,
      )
      await release(ctx, TUESDAY)
      expect(await dashboard(ctx, id)).toMatchObject({ threads: { n: 5 }, comments: { n: 5 } })
    }))
  test('a number that was shown stays, whatever is deleted later', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const [first] = await threads(ctx, id, '2026-03-02', ...FIVE)
      await release(ctx, TUESDAY)
      const told = await dashboard(ctx, id)
      await ctx.db.query(sql`delete from threads where id = ${first}`)
      await threads(ctx, id, '2026-03-04', 'fay')
      await release(ctx, TUESDAY)
      expect(await dashboard(ctx, id)).toEqual(told)
      await release(ctx, NEXT_TUESDAY)
      expect((await dashboard(ctx, id)).threads).toEqual(told.threads)
    }))
  test('a company without an employer has nothing counted', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`update employer_claims set status = 'pending'`)
      await threads(ctx, id, '2026-03-02', ...FIVE)
      await release(ctx, TUESDAY)
      expect(await ctx.db.query(sql`select * from dashboard_counts`)).toEqual([])
      expect(await ctx.db.query(sql`select * from dashboard_spans`)).toEqual([])
    }))
  test('a range shows whole stretches that end in it', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await threads(ctx, id, '2025-06-02', ...FIVE)
      await threads(ctx, id, '2025-12-01', ...FIVE.slice(0, 2))
      await threads(ctx, id, '2026-03-02', ...FIVE.slice(2))
      await release(ctx, TUESDAY)
      const of = async (weeks: '12' | '26' | '52') => {
        const view = await companyDashboard(
          ctx,
          id,
          { weeks },
          { hasJobs: false, ratingsWait: false },
        )
        return view.threads.spans
      }
      const last = { from: '2025-06-09', to: '2026-03-08', n: 5 }
      expect(await of('12')).toEqual([last])
      expect(await of('26')).toEqual([last])
      expect(await of('52')).toEqual([{ from: '2025-06-02', to: '2025-06-08', n: 5 }, last])
    }))
})

describe('ratings', () => {
  test('erin sees each category’s mean, next to the office days her company claims', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const all = { rto: 2, dei: 3, workLife: 4, culture: 5, officeDays: 3 }
      await ratings(ctx, id, '2026-01', 5, all)
      await ratings(ctx, id, '2026-02', 5, { ...all, rto: 4, officeDays: 2 })
      // The current month isn't shown.
      await ratings(ctx, id, '2026-03', 9, { rto: 1 })
      await ctx.db.query(sql`
        insert into company_policies (company_id, mode, days) values (${id}, 'hybrid', 2)`)
      await release(ctx, TUESDAY)
      const { ratings: told, office } = await dashboard(ctx, id)
      expect(told.spans.map(({ from, to, ratings, score }) => [from, to, ratings, score])).toEqual([
        ['2026-01-01', '2026-01-31', 5, 3.5],
        ['2026-02-01', '2026-02-28', 5, 4],
      ])
      expect(told.inAll).toEqual({ mean: 3.75, ratings: 10 })
      expect(told.change).toBe(0.5)
      expect(told.parts).toEqual([
        { key: 'rto', mean: 3, ratings: 10 },
        { key: 'dei', mean: 3, ratings: 10 },
        { key: 'workLife', mean: 4, ratings: 10 },
        { key: 'culture', mean: 5, ratings: 10 },
      ])
      expect(office).toEqual({
        policy: { mode: 'hybrid', days: 2, since: null, source: null },
        actual: { mean: 2.5, ratings: 10 },
      })
      const one = await companyDashboard(
        ctx,
        id,
        { weeks: '12', category: 'dei' },
        { hasJobs: false, ratingsWait: false },
      )
      expect(one.ratings.parts.map(({ key }) => key)).toEqual(['dei'])
      expect(one.ratings.spans[0]?.parts.map(({ key }) => key)).toEqual(['dei'])
    }))
  test('a category that four people left out isn’t shown next to the total', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ratings(ctx, id, '2026-01', 9, { rto: 2, culture: 4 })
      await ratings(ctx, id, '2026-01', 4, { rto: 2 })
      await release(ctx, TUESDAY)
      const { ratings: told, office } = await dashboard(ctx, id)
      expect(told.parts).toEqual([{ key: 'rto', mean: 2, ratings: 13 }])
      expect(office.actual).toBeNull()
    }))
  test('a rating that moves to another month counts in both', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ratings(ctx, id, '2026-01', 5, { rto: 2 })
      await release(ctx, '2026-02-10')
      await ctx.db.query(sql`
        update public_ratings set month = '2026-02-01', rto = 5
         where id = (select id from public_ratings where company_id = ${id} limit 1)`)
      await ratings(ctx, id, '2026-02', 4, { rto: 5 })
      await release(ctx, TUESDAY)
      const { spans } = (await dashboard(ctx, id)).ratings
      expect(spans.map(({ ratings, score }) => [ratings, score])).toEqual([
        [5, 2],
        [5, 5],
      ])
    }))
  test('a month shows once none of its ratings is waiting', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ratings(ctx, id, '2026-02', 5, { rto: 2 })
      await release(ctx, TUESDAY, { ratingsWait: true })
      expect((await dashboard(ctx, id)).ratings.inAll).toBeNull()
      await ratings(ctx, id, '2026-02', 3, { rto: 2 })
      await release(ctx, '2026-04-07', { ratingsWait: true })
      expect((await dashboard(ctx, id)).ratings.spans).toMatchObject([{ ratings: 8 }])
    }))

  test('the dashboard shows nothing below the company page’s minimum of ten', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ratings(ctx, id, '2026-01', 9, { rto: 2 })
      await release(ctx, TUESDAY, { minShown: 10 })
      expect((await dashboard(ctx, id)).ratings.inAll).toBeNull()
    }))
})

test('followers show in fives, once a week, and only after five came or went', () =>
  as('erin', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    const told = async (day: string) => {
      await release(ctx, day)
      return (await dashboard(ctx, id)).followers
    }
    await followers(ctx, id, 0, 4)
    expect(await told('2026-02-17')).toEqual({ n: null, since: null })
    await followers(ctx, id, 4, 12)
    // The week has been counted.
    expect(await told('2026-02-18')).toEqual({ n: null, since: null })
    expect(await told('2026-02-24')).toEqual({ n: 10, since: '2026-02-24' })
    await followers(ctx, id, 12, 16)
    expect(await told('2026-03-03')).toEqual({ n: 10, since: '2026-02-24' })
    await followers(ctx, id, 16, 17)
    expect(await told('2026-03-10')).toEqual({ n: 15, since: '2026-03-10' })
  }))

describe('jobs', () => {
  const addJob = ({ db }: Ctx, companyId: string) =>
    db.query(sql`
      insert into job_postings (company_id, company_name, title, description, html, excerpt,
                                remote_policy, employment_type, salary_minimum, salary_maximum,
                                salary_currency, salary_period, yearly_minimum, yearly_maximum,
                                salary_worth, apply_link, status, posted_date, valid_through, idempotency_key)
      values (${companyId}, 'Erin and Sons', 'Baker', '', '', '', 'on-site', 'full-time', 1, 2,
              'EUR', 'hour', 1, 2, 2, 'https://example.com', 'open', '2026-02-01', '2026-04-01',
              ${randomUUID()})`)
  const look = ({ db }: Ctx, views: number, applies: number) =>
    db.query(sql`update job_postings set views = views + ${views}, applies = applies + ${applies}`)

  test('views and applications show together, once each and the rest are five', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await addJob(ctx, id)
      const told = async (day: string) => {
        await release(ctx, day, { hasJobs: true, ratingsWait: false })
        return (await dashboard(ctx, id, true)).jobs
      }
      await look(ctx, 50, 20)
      // Counting starts here. Earlier posts belong to no week.
      expect(await told('2026-02-17')).toEqual({ spans: [], views: null, applies: null })
      await look(ctx, 20, 4)
      expect(await told('2026-02-24')).toMatchObject({ spans: [] })
      await look(ctx, 2, 1)
      expect(await told('2026-03-03')).toEqual({
        spans: [{ from: '2026-02-17', to: '2026-03-02', views: 22, applies: 5 }],
        views: 22,
        applies: 5,
      })
      await look(ctx, 4, 0)
      expect(await told('2026-03-10')).toMatchObject({ views: 22, applies: 5 })
    }))
  test('a deleted job takes its numbers along, and counting starts over', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await addJob(ctx, id)
      await look(ctx, 50, 20)
      await release(ctx, '2026-02-24', { hasJobs: true, ratingsWait: false })
      await ctx.db.query(sql`delete from job_postings`)
      await release(ctx, '2026-03-03', { hasJobs: true, ratingsWait: false })
      await addJob(ctx, id)
      await look(ctx, 6, 0)
      await release(ctx, '2026-03-10', { hasJobs: true, ratingsWait: false })
      expect((await dashboard(ctx, id, true)).jobs).toMatchObject({ views: 6, applies: 0 })
    }))
  test('the dashboard says nothing about jobs while they’re off', () =>
    as('erin', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await addJob(ctx, id)
      await release(ctx, TUESDAY)
      const view = await dashboard(ctx, id)
      expect(view.jobs).toBeNull()
      expect(dashboardCsv(view)).not.toContain('job')
    }))
})

test('no answer and no stored row has a person in it', () =>
  as('erin', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await threads(ctx, id, '2026-03-02', ...FIVE.map((name) => `author-key-${name}`))
    await followers(ctx, id, 0, 9)
    await ratings(ctx, id, '2026-02', 6, { rto: 3 })
    await release(ctx, TUESDAY)
    const view = await dashboard(ctx, id)
    const stored = await ctx.db.query(sql`select * from dashboard_spans`)
    const counted = await ctx.db.query(sql`select * from dashboard_counts`)
    for (const text of [view, dashboardCsv(view), stored, counted].map((it) => JSON.stringify(it)))
      expect(text).not.toMatch(/author-key|follower \d/)
    // How many exactly follow is kept, but not told.
    expect(JSON.stringify(view)).not.toMatch(/basis/i)
    expect(view.followers.n).toBe(5)
  }))

test('the dashboard downloads as a file with a row for each number', () =>
  as('erin', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await threads(ctx, id, '2026-03-02', ...FIVE)
    await ratings(ctx, id, '2026-02', 6, { rto: 3, officeDays: 4 })
    await ctx.db.query(sql`
      insert into company_policies (company_id, mode, days) values (${id}, 'office', 5)`)
    await release(ctx, TUESDAY)
    expect(dashboardCsv(await dashboard(ctx, id)).split('\r\n')).toEqual([
      'what,from,to,number,of ratings',
      'score,2026-02-01,2026-02-28,3,6',
      'rto,2026-02-01,2026-02-28,3,6',
      'office days actual,2026-02-01,2026-02-28,4,6',
      'threads,2026-03-02,2026-03-08,5,',
      'followers,,,Fewer than five people,',
      'office days stated,,,5,',
      '',
    ])
  }))
