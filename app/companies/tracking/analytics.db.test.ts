import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { countSignUp } from '#app/identity/accounts/auth-server/user-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { callsOf, routesOf } from '#tests/support/api.ts'
import { openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { NOW, withDatabase } from '#tests/support/database.ts'
import { countDays } from './daily-count-task.server.ts'
import { trackingHandlers } from './feature.server.ts'
import { trackingContract } from './tracking.contract.ts'
import { createTracking, writeClicks } from './tracking.server.ts'
import { serveTrackingFiles } from './tracking-files.server.ts'
import { analytics, clicksPerDay, newestInteractions } from './tracking-queries.server.ts'
import { createVisitorMarks, MARKS } from './visitor-marks.server.ts'

const { as, outside } = withDatabase()

const TODAY = '2026-03-14'
const YESTERDAY = '2026-03-13'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const at = (moment: string) => () => new Date(moment)

const trackingOf = (ctx: Ctx) => createTracking(ctx, { hasRateLimits: false })
const marksIn = ({ db }: Ctx) =>
  db.query<{ day: string; n: number }>(
    sql`select day, bit_count(marks) as n from visitor_marks order by day`,
  )
const dayOf = async (ctx: Ctx, day = TODAY) =>
  (await analytics(ctx)).days.find((it) => it.day === day)

describe('Spec §2.13, §6: the newest clicks', () => {
  test.each(['dana', 'erin'] as const)('%s can’t see the newest clicks', (name) =>
    as(name, async (ctx) => {
      const call = callsOf(trackingContract, trackingHandlers(trackingOf(ctx)))(ctx)
      const denied = { status: 403, message: "You don't have permission to view this page." }
      await expect(call('GET /api/v1/interactions')).rejects.toMatchObject(denied)
      await expect(call('GET /api/v1/analytics')).rejects.toMatchObject(denied)
    }),
  )

  test.each(['ada', 'olga'] as const)(
    '%s sees which clicks are her own, on the same day only',
    (name) =>
      as(name, async (ctx) => {
        const id = await giveErinHerCompany(ctx.db)
        let now = new Date(`${TODAY}T23:58:31Z`)
        const tracking = createTracking({ ...ctx, now: () => now }, { hasRateLimits: false })
        await tracking.countClick(ctx, id)
        const others = { ...ctx, actor: { ...ctx.actor, account: danasAccount(ctx) } }
        await tracking.countClick(others, id)
        await tracking.flush()
        const seen = () => newestInteractions(ctx, tracking.pseudonymOfToday)
        const { interactions } = await seen()
        expect(interactions.filter(({ isMe }) => isMe)).toHaveLength(1)
        expect(interactions).toHaveLength(2)
        expect(interactions[0]).toMatchObject({
          companyId: id,
          companyName: 'Erin and Sons',
          at: '2026-03-14T23:58:00Z',
        })
        now = new Date('2026-03-15T00:00:01Z')
        expect((await seen()).interactions.map(({ isMe }) => isMe)).toEqual([false, false])
      }),
  )

  test('a click has a short form of the pseudonym and nothing of whose it is', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      await tracking.countClick(ctx, id)
      await tracking.flush()
      const answer = await newestInteractions(ctx, tracking.pseudonymOfToday)
      const [row] = answer.interactions
      expect(Object.keys(row ?? {}).sort()).toEqual([
        'at',
        'companyId',
        'companyName',
        'id',
        'isMe',
        'userId',
      ])
      expect(row?.userId).toMatch(/^[0-9a-f]{8}$/)
      const told = JSON.stringify(answer)
      const accountId = ctx.actor.account?.id as string
      for (const secret of [
        accountId,
        ctx.actor.authorKey,
        await tracking.pseudonymOfToday(accountId),
      ])
        expect(told).not.toContain(secret)
    }))

  test('Spec §7.2, §9: the newest 1,000 clicks are found without reading the others', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`
        insert into company_interactions (company_id, company_name, user_id, created_at)
        select ${id}, 'Erin and Sons', 'p' || n, timestamptz '2026-03-01T00:00Z' + n * interval '1 minute'
          from generate_series(1, 3000) n`)
      const { interactions } = await newestInteractions(ctx, async () => 'p2999')
      expect(interactions).toHaveLength(1000)
      expect(interactions[0]?.at).toBe('2026-03-03T02:00:00Z')
      expect(interactions[1]).toMatchObject({ isMe: true, at: '2026-03-03T01:59:00Z' })
      expect(interactions.at(-1)?.at).toBe('2026-03-02T09:21:00Z')
      await ctx.db.query(sql`analyze company_interactions`)
      const plan = await ctx.db.query<Record<string, string>>(sql`
        explain select id from company_interactions order by created_at desc, id desc limit 1000`)
      expect(JSON.stringify(plan)).toContain('company_interactions_by_time')
    }))
})

const danasAccount = (ctx: Ctx) => ({
  ...(ctx.actor.account as NonNullable<Ctx['actor']['account']>),
  id: '00000000-0000-4000-8000-00000000da4a',
})

describe('visitors', () => {
  test('a visitor counts once a day, and yesterday’s marks are gone', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      let now = new Date(`${YESTERDAY}T12:00:00Z`)
      const tracking = createTracking({ ...ctx, now: () => now }, { hasRateLimits: false })
      const from = (network: string): Ctx => ({
        ...ctx,
        network,
        actor: { ...ctx.actor, role: 'visitor', account: null },
      })
      for (const network of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.3'])
        await tracking.countView(from(network), id, BROWSER)
      await tracking.flush()
      expect(await marksIn(ctx)).toEqual([{ day: YESTERDAY, n: 3 }])
      await countDays({ db: ctx.db, now: () => now })
      expect(await marksIn(ctx)).toEqual([{ day: YESTERDAY, n: 3 }])
      await tracking.countView(from('192.0.2.4'), id, BROWSER)
      await tracking.flush()

      now = NOW
      await countDays({ db: ctx.db, now: () => now })
      expect(await marksIn(ctx)).toEqual([])
      expect(await dayOf(ctx, YESTERDAY)).toMatchObject({ visitors: 4 })
      await tracking.countView(from('192.0.2.1'), id, BROWSER)
      await tracking.flush()
      await countDays({ db: ctx.db, now: () => now })
      expect(await dayOf(ctx)).toMatchObject({ visitors: 1 })
      expect(await dayOf(ctx, YESTERDAY)).toMatchObject({ visitors: 4 })
    }))

  test('a visitor who came within the last hour still counts on the new day', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      let now = new Date(`${YESTERDAY}T23:50:00Z`)
      const tracking = createTracking({ ...ctx, now: () => now }, { hasRateLimits: false })
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(true)
      await tracking.flush()
      now = new Date(`${TODAY}T00:10:00Z`)
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(false)
      await tracking.flush()
      expect(await marksIn(ctx)).toEqual([
        { day: YESTERDAY, n: 1 },
        { day: TODAY, n: 1 },
      ])
    }))

  test('a visitor’s late mark is gone with its day, too', () =>
    as('dana', async (ctx) => {
      let now = new Date(`${YESTERDAY}T23:59:59Z`)
      const marks = createVisitorMarks({ ...ctx, now: () => now })
      await marks.add('192.0.2.1')
      now = new Date(`${TODAY}T00:00:01Z`)
      await marks.flush()
      expect(await marksIn(ctx)).toEqual([])
    }))

  test('a visitor sets another mark each day, and no row says who', () =>
    as('dana', async (ctx) => {
      const positionOn = async (moment: string) => {
        const marks = createVisitorMarks({ ...ctx, now: at(moment) })
        await marks.add('192.0.2.1')
        await marks.flush()
        const [row] = await ctx.db.query<{ place: number; n: number }>(sql`
          select position(B'1' in marks) as place, bit_count(marks) as n from visitor_marks
           where day = ${moment.slice(0, 10)}`)
        return row?.place
      }
      const places = [
        await positionOn(`${TODAY}T10:00Z`),
        await positionOn(`${TODAY}T11:00Z`),
        await positionOn('2026-03-15T10:00Z'),
        await positionOn('2026-03-16T10:00Z'),
      ]
      expect(places[1]).toBe(places[0])
      expect(new Set(places).size).toBeGreaterThan(1)
      const columns = await ctx.db.query<{ name: string }>(sql`
        select column_name as name from information_schema.columns
         where table_name = 'visitor_marks' order by 1`)
      expect(columns.map(({ name }) => name)).toEqual(['day', 'marks'])
    }))

  test('visitors are estimated within two percent, even if many share a mark', () =>
    as('ada', async (ctx) => {
      for (const people of [1, 40, 30_000, 200_000]) {
        const bits = new Array<number>(MARKS).fill(0)
        let random = 1
        for (let i = 0; i < people; i++) {
          random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
          bits[random >>> 16] = 1
        }
        await ctx.db.query(sql`delete from daily_counts`)
        await ctx.db.query(
          sql`insert into visitor_marks values (${TODAY}, ${bits.join('')}::bit(65536))`,
        )
        await countDays(ctx)
        const visitors = (await dayOf(ctx))?.visitors ?? 0
        expect(Math.abs(visitors - people) / people).toBeLessThan(0.02)
        await ctx.db.query(sql`delete from visitor_marks`)
      }
    }))

  test('bots and administrators aren’t counted as visitors', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      await tracking.countView(ctx, id, BROWSER)
      await tracking.countView({ ...ctx, actor: { ...ctx.actor, role: 'visitor' } }, id, 'curl/8')
      await tracking.flush()
      expect(await marksIn(ctx)).toEqual([])
    }))

  test('a visitor’s mark that can’t be stored is reported and costs no view', () =>
    as('dana', async (ctx) => {
      const failures: unknown[] = []
      const away = { ...ctx.db, query: () => Promise.reject(new Error('away')) }
      const marks = createVisitorMarks({ ...ctx, db: away }, (error) => failures.push(error))
      await marks.add('192.0.2.1')
      expect(failures).toHaveLength(1)
    }))
})

describe('numbers per day', () => {
  const minute = (moment: string) => Math.floor(Date.parse(moment) / 60_000)
  const post = async ({ db }: Ctx, moment: string, hidden: string | null = null) => {
    const key = randomBytes(16)
    const [thread] = await db.query<{ id: string }>(sql`
      insert into threads (key, own_row_key, author_name, is_visitor, title, body, html, excerpt,
                           posted_minute, idempotency_key, hidden)
      values (${key}, ${randomBytes(16)}, 'Somebody', true, 'Who counts the meetings?', '', '', '', ${minute(moment)},
              ${crypto.randomUUID()}, ${hidden}) returning id`)
    await db.query(sql`
      insert into comments (thread_id, key, own_row_key, author_name, is_visitor, body, html, posted_minute,
                            place, idempotency_key, is_deleted)
      values (${thread?.id}, ${key}, ${randomBytes(16)}, 'Somebody', true, '', '', ${minute(moment)}, 1,
              ${crypto.randomUUID()}, false),
             (${thread?.id}, ${key}, ${randomBytes(16)}, 'Somebody', true, '', '', ${minute(moment)}, 2,
              ${crypto.randomUUID()}, true)`)
  }

  test('the numbers cover 90 days in UTC and what’s shown', () =>
    as('ada', async (ctx) => {
      await post(ctx, `${YESTERDAY}T23:59:00Z`)
      await post(ctx, `${TODAY}T00:00:00Z`)
      await post(ctx, `${TODAY}T08:00:00Z`)
      await post(ctx, `${TODAY}T08:00:00Z`, 'removed')
      await post(ctx, '2025-12-15T12:00:00Z')
      await post(ctx, '2025-12-14T12:00:00Z')
      await ctx.db.query(sql`
        insert into company_requests (company_name, notify, created_on)
        values ('Somewhere', false, ${TODAY}), ('Elsewhere', false, ${YESTERDAY})`)
      await countDays(ctx)
      const { days } = await analytics(ctx)
      expect(days).toHaveLength(90)
      expect(days[0]).toMatchObject({ day: '2025-12-15', threads: 1, comments: 1 })
      expect(days.at(-2)).toMatchObject({ day: YESTERDAY, threads: 1, comments: 1, requests: 1 })
      expect(days.at(-1)).toMatchObject({ day: TODAY, threads: 2, comments: 3, requests: 1 })
    }))

  test('the numbers stay the same once the day is over, and yesterday is counted again', () =>
    as('ada', async (ctx) => {
      await post(ctx, '2026-03-12T12:00:00Z')
      await post(ctx, `${YESTERDAY}T12:00:00Z`)
      await countDays({ db: ctx.db, now: at(`${YESTERDAY}T12:30:00Z`) })
      await post(ctx, `${YESTERDAY}T20:00:00Z`)
      await countDays(ctx)
      await ctx.db.query(sql`delete from threads`)
      await countDays({ db: ctx.db, now: at('2026-03-15T00:30:00Z') })
      expect(await dayOf(ctx, '2026-03-12')).toMatchObject({ threads: 1 })
      expect(await dayOf(ctx, YESTERDAY)).toMatchObject({ threads: 2 })
      expect(await dayOf(ctx)).toMatchObject({ threads: 0 })
    }))

  test('the numbers of days without the site are counted later', () =>
    as('ada', async (ctx) => {
      await countDays({ db: ctx.db, now: at('2026-03-01T12:00:00Z') })
      await post(ctx, '2026-03-05T12:00:00Z')
      await countDays(ctx)
      expect(await dayOf(ctx, '2026-03-05')).toMatchObject({ threads: 1 })
    }))

  test('the numbers of clicks are stored per company, and go with it', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const click = (moment: string) => ({ companyId: id, userId: 'p', at: moment })
      await writeClicks(ctx.db, [
        click('2026-03-13T23:59:00Z'),
        click('2026-03-14T00:00:00Z'),
        click('2026-03-14T08:00:00Z'),
        click('2025-12-14T08:00:00Z'),
      ])
      await countDays(ctx)
      await countDays(ctx)
      expect(await clicksPerDay(ctx, [id])).toEqual({
        today: TODAY,
        companies: [
          {
            id,
            counts: [
              { day: YESTERDAY, n: 1 },
              { day: TODAY, n: 2 },
            ],
          },
        ],
      })
      expect(await dayOf(ctx)).toMatchObject({ clicks: 2 })
      await ctx.db.query(sql`delete from companies`)
      expect(await clicksPerDay(ctx, [id])).toMatchObject({ companies: [{ id, counts: [] }] })
    }))
})

describe('numbers that could be somebody’s', () => {
  test('sign-ups show per full week, from five on, and go after a quarter', () =>
    as('ada', async (ctx) => {
      const signUps = async (day: string, times: number) => {
        for (let n = 0; n < times; n++) await countSignUp(ctx.db, day)
      }
      await signUps('2026-03-02', 3)
      await signUps('2026-03-08', 2)
      await signUps('2026-02-25', 4)
      await signUps('2026-03-09', 9)
      await signUps('2025-12-01', 9)
      await countDays(ctx)
      expect((await analytics(ctx)).signUps.slice(-2)).toEqual([
        { from: '2026-02-23', n: null },
        { from: '2026-03-02', n: 5 },
      ])
      expect((await analytics(ctx)).signUps).toHaveLength(13)
      const kept = await ctx.db.query<{ day: string }>(
        sql`select day from daily_counts where name = 'sign-ups' order by day`,
      )
      expect(kept.map(({ day }) => day)).toEqual(['2026-02-23', '2026-03-02', '2026-03-09'])
    }))

  test('a sign-up counts, and a second one with the same address doesn’t', async () => {
    const db = outside()
    const site = await openAuthSite(db)
    const counted = async () =>
      (
        await db.query<{ n: number }>(
          sql`select coalesce(sum(n), 0)::integer as n from daily_counts where name = 'sign-ups'`,
        )
      )[0]?.n
    try {
      const auth = site.client()
      const email = 'counted@kettle.example'
      expect((await auth.signUp({ email, password: PASSWORD })).error).toBeNull()
      expect(await counted()).toBe(1)
      expect((await site.client().signUp({ email, password: PASSWORD })).error).not.toBeNull()
      expect(await counted()).toBe(1)
    } finally {
      await db.query(sql`delete from daily_counts`)
      await db.query(sql`delete from job_queue`)
      await db.query(sql`delete from accounts where id not in (
        select id from accounts where id::text like '00000000-0000-4000-8000-%')`)
    }
  })

  test('ratings show per full month, from five on, and never change again', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const rated = (month: string, n: number) =>
        ctx.db.query(sql`
          insert into rating_months (company_id, month, ratings) values (${id}, ${month}, ${n})
          on conflict (company_id, month) do update set ratings = excluded.ratings`)
      await rated('2026-01-01', 4)
      await rated('2026-02-01', 7)
      await rated('2026-03-01', 50)
      await countDays(ctx)
      await rated('2026-02-01', 6)
      await countDays(ctx)
      const { ratings } = await analytics(ctx)
      expect(ratings).toHaveLength(12)
      expect(ratings.slice(-2)).toEqual([
        { from: '2026-01-01', n: null },
        { from: '2026-02-01', n: 7 },
      ])
    }))

  test('a month of ratings that wait for others counts once all of it is public', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      for (const month of ['2026-01-01', '2026-02-01'])
        await ctx.db.query(sql`
          insert into rating_months (company_id, month, ratings) values (${id}, ${month}, 7)`)
      await countDays(ctx, { ratingsWait: true })
      expect((await analytics(ctx)).ratings.slice(-2)).toEqual([
        { from: '2026-01-01', n: 7 },
        { from: '2026-02-01', n: null },
      ])
    }))
})

describe('over HTTP', () => {
  const ADDRESSES = [
    '/api/v1/interactions',
    '/api/v1/clicks?ids=00000000-0000-4000-8000-00000000c001',
    '/api/v1/analytics',
    '/api/v1/analytics.csv',
    '/api/v1/clicks.csv',
  ]

  function siteFor(ctx: Ctx) {
    const app = routesOf(trackingContract, trackingHandlers(trackingOf(ctx)), ctx)
    serveTrackingFiles(app, async () => ctx)
    return app
  }

  test.each([
    ['vera', 401],
    ['dana', 403],
    ['erin', 403],
    ['ada', 200],
    ['olga', 200],
  ] as const)('Spec §6: %s gets a %i everywhere', (name, status) =>
    as(name, async (ctx) => {
      const app = siteFor(ctx)
      for (const url of ADDRESSES) {
        const answer = await app.inject({ url })
        expect(`${url} ${answer.statusCode}`).toBe(`${url} ${status}`)
        expect(answer.headers['cache-control'] ?? 'no-store').toBe('no-store')
      }
      await app.close()
    }),
  )

  test('a downloaded file is a spreadsheet in which nothing is calculated', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`update companies set name = ${'=HYPERLINK("http://x","a")'}`)
      await writeClicks(ctx.db, [{ companyId: id, userId: 'p', at: '2026-03-14T08:00:00Z' }])
      await countDays(ctx)
      const app = siteFor(ctx)
      const clicks = await app.inject({ url: '/api/v1/clicks.csv' })
      expect(clicks.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="clicks.csv"',
        'cache-control': 'no-store',
      })
      expect(clicks.body).toBe(
        'day,company,clicks\r\n2026-03-14,"\'=HYPERLINK(""http://x"",""a"")",1\r\n',
      )
      const analytics = await app.inject({ url: '/api/v1/analytics.csv' })
      const rows = analytics.body.split('\r\n')
      expect(rows).toContain('day,2026-03-14,clicks,1')
      expect(rows).toContain('week,2026-03-02,sign-ups,Fewer than 5')
      expect(rows).toContain('month,2026-02-01,ratings,Fewer than 5')
      expect(rows).toHaveLength(1 + 5 * 90 + 13 + 12 + 1)
      await app.close()
    }))

  test('invalid ids, or too many, are refused', () =>
    as('ada', async (ctx) => {
      const app = siteFor(ctx)
      const seven = Array.from({ length: 7 }, () => crypto.randomUUID()).join(',')
      for (const ids of ['', 'x', seven, "'; drop table accounts --"])
        expect((await app.inject({ url: '/api/v1/clicks', query: { ids } })).statusCode).toBe(400)
      await app.close()
    }))
})
