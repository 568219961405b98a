import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { createTracking, registerViews, writeViews } from './tracking.server.ts'
import { companyViews } from './tracking-queries.server.ts'
import { createDayPseudonyms, DAY_KEY, forgetDayKeys } from './visitor-marks.server.ts'
import { createWriteBuffer } from './write-buffer.server.ts'

const { as, outside } = withDatabase()

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HOUR_MS = 3_600_000

const trackingOf = (ctx: Ctx) => createTracking(ctx, { hasRateLimits: false })
const viewsOf = async ({ db }: Ctx, id: string) =>
  (
    await db.query<{ views: number }>(sql`select views from company_stats where company_id = ${id}`)
  )[0]?.views
const clicks = ({ db }: Ctx) =>
  db.query<Record<string, unknown>>(sql`select * from company_interactions order by company_name`)

describe('views', () => {
  test('a person’s views count once an hour, and are written with the next batch', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      let now = ctx.now()
      const tracking = createTracking({ ...ctx, now: () => now }, { hasRateLimits: false })
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(true)
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(false)
      expect(await viewsOf(ctx, id)).toBe(0)
      await tracking.flush()
      expect(await viewsOf(ctx, id)).toBe(1)
      now = new Date(now.getTime() + HOUR_MS + 1_000)
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(true)
      await tracking.stop()
      expect(await viewsOf(ctx, id)).toBe(2)
    }))

  test('a visitor’s views count once per network, whatever anonymous id the browser makes up', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      const browser = (authorKey: string, network = ctx.network): Ctx => ({
        ...ctx,
        network,
        actor: { ...ctx.actor, authorKey },
      })
      await tracking.countView(browser('one'), id, BROWSER)
      await tracking.countView(browser('two'), id, BROWSER)
      await tracking.countView(browser('three', '192.0.2.7'), id, BROWSER)
      await tracking.flush()
      expect(await viewsOf(ctx, id)).toBe(2)
    }))

  test.each(['ada', 'olga'] as const)('views of the administrator %s don’t count', (name) =>
    as(name, async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      expect(await tracking.countView(ctx, id, BROWSER)).toBe(false)
      await tracking.flush()
      expect(await viewsOf(ctx, id)).toBe(0)
    }),
  )

  test.each([
    undefined,
    '',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116',
    'curl/8.5.0',
    'python-requests/2.32',
    'facebookexternalhit/1.1',
  ])('views of the obvious bot %s don’t count', (userAgent) =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      expect(await trackingOf(ctx).countView(ctx, id, userAgent)).toBe(false)
    }),
  )

  test('a deleted company’s view is ignored', () =>
    as('vera', async (ctx) => {
      const tracking = trackingOf(ctx)
      await tracking.countView(ctx, '00000000-0000-4000-8000-000000000bad', BROWSER)
      await tracking.flush()
    }))

  test('administrators see the views', async () => {
    await as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await writeViews(ctx.db, [id, id, id])
      expect(await companyViews(ctx, [id])).toEqual({ views: [{ id, views: 3 }] })
    })
  })

  test('a view over HTTP says what the browser calls itself, and none of that is stored', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      const logged: string[] = []
      const app = bareHttp({ logger: { stream: { write: (line) => void logged.push(line) } } })
      registerViews(app, tracking, async () => ctx)
      const send = (body: object) =>
        app.inject({
          method: 'POST',
          url: '/api/v1/views',
          headers: { 'user-agent': `${BROWSER} Remarkable/77` },
          payload: body,
        })
      expect((await send({ companyId: id })).json()).toEqual({ isCounted: true })
      expect((await send({ companyId: 'x' })).statusCode).toBe(400)
      await tracking.flush()
      await app.close()
      const [dump] = await ctx.db.query<{ text: string }>(sql`
        select (select coalesce(string_agg(t::text, ''), '') from company_interactions t)
            || (select string_agg(t::text, '') from company_stats t) as text`)
      expect(dump?.text + logged.join('')).not.toMatch(/Remarkable/)
    }))
})

describe('clicks', () => {
  test('a member’s click is stored to the minute, under a pseudonym', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      expect(await tracking.countClick(ctx, id)).toBe(true)
      await tracking.flush()
      const rows = await clicks(ctx)
      expect(rows).toMatchObject([
        {
          company_id: id,
          company_name: 'Erin and Sons',
          interaction_type: 'click',
          created_at: '2026-03-14T09:26:00Z',
          user_id: await tracking.pseudonymOfToday(ctx.actor.account?.id as string),
        },
      ])
      const told = JSON.stringify(rows)
      for (const secret of [ctx.actor.account?.id, ctx.actor.authorKey, 'Dana'])
        expect(told).not.toContain(secret)
    }))

  test('Spec §6, §8: clicks without a user id are skipped', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      expect(await tracking.countClick(ctx, id)).toBe(false)
      await tracking.flush()
      expect(await clicks(ctx)).toEqual([])
    }))

  test('a click on a deleted company is left out of its batch, and the others stay', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const tracking = trackingOf(ctx)
      await tracking.countClick(ctx, '00000000-0000-4000-8000-000000000bad')
      await tracking.countClick(ctx, id)
      await tracking.flush()
      expect(await clicks(ctx)).toHaveLength(1)
    }))

  test('S18: a person’s pseudonym is the same all day in every process, and another the next day', () =>
    as('dana', async (ctx) => {
      const tomorrow = { ...ctx, now: () => new Date('2026-03-15T00:00:01Z') }
      const [one, other] = [createDayPseudonyms(), createDayPseudonyms()]
      const today = await one(ctx, 'dana')
      expect(await one(ctx, 'dana')).toBe(today)
      expect(await other(ctx, 'dana')).toBe(today)
      expect(await one(ctx, 'erin')).not.toBe(today)
      expect(await one(tomorrow, 'dana')).not.toBe(today)
    }))

  test('S18: a day’s key is random, sealed, and forgotten when the day is over', () =>
    as('dana', async (ctx) => {
      const before = await createDayPseudonyms()(ctx, 'dana')
      const [key] = await ctx.db.query<{ key_sealed: string }>(sql`select * from interaction_keys`)
      const place = sealContext(DAY_KEY, '2026-03-14')
      expect(ctx.secrets.open(key?.key_sealed as string, place)).toMatch(/^[\w-]{43}$/)
      await forgetDayKeys(ctx.db, '2026-03-14')
      expect(await createDayPseudonyms()(ctx, 'dana')).toBe(before)
      await forgetDayKeys(ctx.db, '2026-03-15')
      expect(await ctx.db.query(sql`select from interaction_keys`)).toEqual([])
      // Even the site can't compute it again.
      expect(await createDayPseudonyms()(ctx, 'dana')).not.toBe(before)
    }))
})

describe('the buffer', () => {
  test('the buffer loses nothing while the database is away, or what comes meanwhile', async () => {
    const written: number[] = []
    let isAway = true
    const failures: unknown[] = []
    const buffer = createWriteBuffer<number>(
      async (entries) => {
        if (isAway) {
          buffer.add(3)
          throw new Error('away')
        }
        written.push(...entries)
      },
      (error) => failures.push(error),
    )
    buffer.add(1)
    buffer.add(2)
    await buffer.flush()
    expect(failures).toHaveLength(1)
    isAway = false
    await buffer.stop()
    expect(written).toEqual([1, 2, 3])
  })

  test('the buffer writes at a clean stop what came while it was writing', async () => {
    const written: number[] = []
    const buffer = createWriteBuffer<number>(async (entries) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      written.push(...entries)
    })
    buffer.add(1)
    const running = buffer.flush()
    buffer.add(2)
    await buffer.stop()
    await running
    expect(written).toEqual([1, 2])
  })

  test('several processes write the same companies at once, and no view is lost', async () => {
    const db = outside()
    await db.query(sql`
      insert into companies (name, name_key)
      select 'Busy ' || n, 'busy ' || n from generate_series(1, 50) n`)
    const ids = (await db.query<{ id: string }>(sql`select id from companies`)).map(({ id }) => id)
    try {
      const shuffled = () => ids.toSorted(() => Math.random() - 0.5)
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let n = 0; n < 10; n++) await writeViews(db, [...shuffled(), ...shuffled()])
        }),
      )
      const [sum] = await db.query<{ views: number }>(
        sql`select sum(views)::integer as views from company_stats`,
      )
      expect(sum?.views).toBe(50 * 2 * 8 * 10)
    } finally {
      await db.query(sql`delete from companies`)
    }
  })
})
