/** Feeds of other sites' jobs, over days. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { DAY_MS } from '#app/platform/days.server.ts'
import { type Fetched, NotFetched } from '#app/platform/http/public-fetch.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { slow } from '#tests/support/amounts.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import { deleteJob, fillJob, openJob } from '../postings/job-commands.server.ts'
import { listJobs } from '../search/job-search.server.ts'
import {
  addFeed,
  closeMissing,
  readNow,
  removeFeed,
  setPaused,
  tryFeed,
} from './feed-commands.server.ts'
import { FEED_PAUSED_TASK, sendFeedPaused } from './feed-mail.server.ts'
import { feedRuns, jobFeeds } from './feed-queries.server.ts'
import { enqueueDueFeeds, READ_FEED_TASK, readFeed } from './feed-run.server.ts'

const { as, castOn } = withDatabase()

const ADDRESS = 'https://jobs.erin.example/feed'

interface JobFields {
  id?: string
  [field: string]: unknown
}
const job = (over: JobFields = {}) => ({
  id: '1',
  company: 'Erin and Sons',
  title: `Fitter ${over.id ?? '1'}`,
  description: 'You repair old kettles in a quiet shop, with three others and a cat.',
  city: 'Berlin',
  country: 'DE',
  ...{ salary_min: 50_000, salary_max: 60_000, salary_currency: 'EUR' },
  apply_link: `https://jobs.erin.example/${over.id ?? '1'}`,
  ...over,
})
const jobs = (...ids: string[]) => ids.map((id) => job({ id }))

/** What the other site answers: rows, a text, or an error. */
type Answer = object[] | string | Error | (Partial<Fetched> & { rows: object[] })

function siteWith(answer: Answer) {
  const asked: Record<string, string>[] = []
  const fetchPublic = async (
    url: string,
    { headers = {} }: { headers?: Record<string, string> },
  ) => {
    asked.push(headers)
    if (answer instanceof Error) throw answer
    const { rows, ...more } =
      Array.isArray(answer) || typeof answer === 'string' ? { rows: answer } : answer
    const text = typeof rows === 'string' ? rows : JSON.stringify(rows)
    return { url, body: Buffer.from(text), contentType: '', ...more }
  }
  return { fetchPublic, asked }
}

const gone = () => new NotFetched('status', 'no', 500)

/** The hourly scan of the next day, and the tasks it leads to. */
async function nextDay<C extends Ctx>(ctx: C, answer: Answer, days = 1): Promise<C> {
  const then = later(ctx, days * 24 * 60)
  await ctx.db.query(sql`delete from job_queue where kind = ${READ_FEED_TASK}`)
  await enqueueDueFeeds(then)
  const due = await ctx.db.query<{ payload: { feedId: string } }>(
    sql`select payload from job_queue where kind = ${READ_FEED_TASK}`,
  )
  for (const { payload } of due) await readFeed(then, payload.feedId, siteWith(answer))
  return then
}

async function added(ctx: Ctx, answer: Answer, company?: string) {
  const { id } = await addFeed(ctx, { address: ADDRESS, company })
  await readFeed(ctx, id, siteWith(answer))
  return id
}

const openTitles = async (ctx: Ctx) =>
  (await listJobs(ctx, { sort: 'newest', limit: 50 })).jobs.map(({ title }) => title).toSorted()
const lastRun = async (ctx: Ctx, id: string) => (await feedRuns(ctx, id)).runs[0]
const feedOf = async (ctx: Ctx, id: string) =>
  (await jobFeeds(castOn(ctx).ada, null)).feeds.find((feed) => feed.id === id)

slow.test('a stranger’s feed of 1,000 jobs is read, updated and closed over three days', () =>
  as('ada', async (ctx) => {
    await ctx.db.query(sql`
      insert into companies (name, name_key, slug)
      select 'Maker ' || n, 'maker ' || n, 'maker-' || n from generate_series(1, 4) n`)
    const rows = Array.from({ length: 1_000 }, (_, n) =>
      job({ id: String(n), company: `Maker ${(n % 4) + 1}` }),
    )
    const id = await added(ctx, rows)
    const counts = { outcome: 'read', listed: 1_000, omittedCount: 0, note: null }
    expect(await lastRun(ctx, id)).toMatchObject({ ...counts, added: 1_000 })

    const second = [
      ...rows.slice(0, 800),
      ...jobs('new-1', 'new-2').map((it) => ({ ...it, company: 'Maker 1' })),
    ]
    second[3] = { ...job({ id: '3', company: 'Maker 4' }), title: 'Master fitter' }
    const tomorrow = await nextDay(ctx, second)
    expect(await lastRun(tomorrow, id)).toMatchObject({
      ...counts,
      ...{ listed: 802, added: 2, changed: 1, closed: 200 },
    })
    expect(await feedOf(tomorrow, id)).toMatchObject({ openJobs: 802, missing: 0 })

    const third = await nextDay(tomorrow, rows)
    expect(await lastRun(third, id)).toMatchObject({ ...counts, added: 200, changed: 1, closed: 2 })
    expect(await feedOf(third, id)).toMatchObject({ openJobs: 1_000, paused: null })
  }),
)

describe('a feed', () => {
  test('posts what’s new, updates what changed, closes what’s gone, and opens what’s back', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2', '3'))
      expect(await feedOf(ctx, id)).toMatchObject({
        isReading: false,
        openJobs: 3,
        address: ADDRESS,
      })
      const changed = [job({ id: '1' }), job({ id: '2', title: 'Master of steam' })]
      const second = await nextDay(ctx, changed)
      expect(await openTitles(second)).toEqual(['Fitter 1', 'Master of steam'])
      expect(await lastRun(second, id)).toMatchObject({ added: 0, changed: 1, closed: 1 })
      const third = await nextDay(second, jobs('1', '2', '3'))
      expect(await openTitles(third)).toEqual(['Fitter 1', 'Fitter 2', 'Fitter 3'])
      expect(await lastRun(third, id)).toMatchObject({ added: 1, changed: 1, closed: 0 })
      // Nothing changed, so nothing is written.
      await nextDay(third, jobs('1', '2', '3'))
      expect(await lastRun(third, id)).toMatchObject({ added: 0, changed: 0, closed: 0, listed: 3 })
    }))

  test('without ids is known by its links, if they’re different', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, [job({ id: '', apply_link: 'https://a.example/1' })])
      const renamed = job({ id: '', apply_link: 'https://a.example/1', title: 'Renamed' })
      const second = await nextDay(ctx, [renamed])
      expect(await lastRun(second, id)).toMatchObject({ added: 0, changed: 1, closed: 0 })
      const sharing = ['Foreman', 'Forewoman', 'Renamed'].map((title) => ({ ...renamed, title }))
      await nextDay(second, sharing)
      expect(await lastRun(second, id)).toMatchObject({ added: 3, omittedCount: 0 })
    }))

  test('keeps a job without a last day open as long as it’s listed', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await added(ctx, [job({ posted_date: '2025-12-01' })])
      let then = ctx
      for (let month = 0; month < 4; month++)
        then = await nextDay(then, [job({ posted_date: '2025-12-01' })], 31)
      expect(await openTitles(then)).toEqual(['Fitter 1'])
    }))

  test('closes a job whose last day it moves into the past', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await added(ctx, jobs('1', '2', '3'))
      const ended = job({ id: '3', valid_through: '2026-03-14' })
      expect(await openTitles(await nextDay(ctx, [...jobs('1', '2'), ended]))).toEqual([
        'Fitter 1',
        'Fitter 2',
      ])
    }))

  test.each<[string, Answer, string | null]>([
    ['an error', gone(), 'The feed returned status 500'],
    [
      'a web page',
      '<!doctype html><html><body>Oops</body></html>',
      'This is a web page, not a feed',
    ],
    [
      'half a file',
      JSON.stringify(jobs('1', '2')).slice(0, 400),
      'The file ends in the middle of row 2',
    ],
    ['half an XML file', '<jobs><job><id>1</id></job>', 'The file ends in the middle of row 2'],
    [
      'no jobs',
      [],
      'The feed has no jobs. 4 of 4 jobs are missing from the feed. If half or more are missing, we ask before we close them.',
    ],
    [
      'half of its jobs',
      jobs('1', '2'),
      '2 of 4 jobs are missing from the feed. If half or more are missing, we ask before we close them.',
    ],
    [
      'a row that could be any',
      `${JSON.stringify(jobs('1', '2', '3')).slice(0, -1)},{"id":4x}]`,
      'We couldn’t read 1 row at all, so we don’t know which job is gone, and closed none.',
    ],
    [
      'a row that it can’t post any more',
      [...jobs('1', '2', '3'), job({ id: '4', city: '' })],
      null,
    ],
  ])('that has %s closes nothing', (_, answer, note) =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2', '3', '4'))
      const second = await nextDay(ctx, answer)
      expect(await openTitles(second)).toHaveLength(4)
      expect(await lastRun(second, id)).toMatchObject({ closed: 0, note })
    }),
  )

  test('asks before it closes many, and then closes only those', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2', '3', '4'))
      const second = await nextDay(ctx, jobs('1'))
      expect(await feedOf(second, id)).toMatchObject({ missing: 3, openJobs: 4 })
      expect(await closeMissing(second, id)).toEqual({ closed: 3 })
      expect(await feedOf(second, id)).toMatchObject({ missing: 0, openJobs: 1 })
      expect(await openTitles(await nextDay(second, jobs('1', '4')))).toEqual([
        'Fitter 1',
        'Fitter 4',
      ])
    }))

  test('leaves alone what people closed, deleted or hid', () =>
    as('ada', async (ctx) => {
      const { erin } = castOn(ctx)
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2', '3', '4'))
      const idOf = async (title: string) => {
        const [found] = await ctx.db.query<{ id: string }>(
          sql`select id from job_postings where title = ${title}`,
        )
        return found?.id ?? ''
      }
      await fillJob(erin, await idOf('Fitter 1'))
      await deleteJob(erin, await idOf('Fitter 2'))
      await ctx.db.query(sql`
        update job_postings set hidden = 'removed', status_before = 'open', status = 'filled'
         where title = 'Fitter 3'`)
      const raised = ['1', '2', '3', '4'].map((id) => job({ id, salary_max: 70_000 }))
      const second = await nextDay(ctx, raised)
      expect(await openTitles(second)).toEqual(['Fitter 4'])
      expect(await lastRun(second, id)).toMatchObject({
        ...{ added: 0, changed: 2, closed: 0, omittedCount: 2 },
        omittedRows: [
          { row: 2, reason: 'Someone deleted this job here' },
          { row: 3, reason: 'Moderators are reviewing this job, so you can’t change it' },
        ],
      })
      await openJob({ ...erin, now: second.now }, await idOf('Fitter 1'))
      expect(await openTitles(await nextDay(second, raised))).toEqual(['Fitter 1', 'Fitter 4'])
    }))

  test('only asks for what’s new, but reads everything once a week and when someone says so', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const version = { etag: '"v1"', lastModified: 'Sat, 14 Mar 2026 09:00:00 GMT' }
      const id = await added(ctx, { rows: jobs('1'), ...version })
      const same = siteWith(new NotFetched('status', 'no', 304))
      const second = later(ctx, 24 * 60)
      await readFeed(second, id, same)
      expect(same.asked).toEqual([
        expect.objectContaining({
          'if-none-match': '"v1"',
          'if-modified-since': version.lastModified,
        }),
      ])
      expect(await lastRun(second, id)).toMatchObject({ outcome: 'unchanged', closed: 0 })
      const nextWeek = siteWith({ rows: jobs('1'), ...version })
      await readFeed(later(ctx, 9 * 24 * 60), id, nextWeek)
      await readNow(later(ctx, 9 * 24 * 60), id)
      await readFeed(later(ctx, 9 * 24 * 60), id, nextWeek)
      for (const headers of nextWeek.asked) expect(headers).not.toHaveProperty('if-none-match')
      expect(nextWeek.asked).toHaveLength(2)
    }))

  test('is paused after five failures, with an email to who gave it, and can be resumed', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2'))
      let then = ctx
      for (let day = 0; day < 5; day++) then = await nextDay(then, gone())
      const paused = 'We couldn’t read it 5 times in a row. The feed returned status 500.'
      expect(await feedOf(then, id)).toMatchObject({ paused, isReading: false, openJobs: 2 })
      const tasks = await ctx.db.query(
        sql`select payload from job_queue where kind = ${FEED_PAUSED_TASK}`,
      )
      expect(tasks).toEqual([{ payload: { feedId: id } }])
      const mails: { to: string; text: string }[] = []
      const mailer = {
        hasRoomFor: async () => true,
        send: async (mail: (typeof mails)[0]) => void mails.push(mail),
      }
      const site = { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' }
      await sendFeedPaused(ctx, mailer as never, site, { feedId: id })
      expect(mails).toMatchObject([
        { to: 'ada@kettle.example', text: expect.stringContaining(paused) },
      ])
      await expect(readNow(then, id)).rejects.toThrow('This feed is paused. Resume it first.')
      await nextDay(then, gone())
      expect((await feedRuns(then, id)).runs).toHaveLength(6)
      await setPaused(then, id, false)
      await readFeed(then, id, siteWith(jobs('1')))
      expect(await feedOf(then, id)).toMatchObject({ paused: null, missing: 1 })
    }))

  test('is read by one process at a time, and by no one after it’s paused or removed meanwhile', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const { id } = await addFeed(ctx, { address: ADDRESS })
      const other = siteWith(jobs('9'))
      await readFeed(ctx, id, {
        fetchPublic: async (url, limits) => {
          await readFeed(ctx, id, other)
          await setPaused(ctx, id, true)
          return siteWith(jobs('1')).fetchPublic(url, limits)
        },
      })
      expect(other.asked).toEqual([])
      expect(await openTitles(ctx)).toEqual([])
      expect(await feedOf(ctx, id)).toMatchObject({ paused: 'Someone paused it.', lastRun: null })
    }))

  test('that’s removed closes its jobs, and finds them when it’s added again', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1', '2'))
      await expect(addFeed(ctx, { address: ` ${ADDRESS}` })).rejects.toThrow(
        'This feed is already here',
      )
      expect(await removeFeed(ctx, id)).toEqual({ closed: 2 })
      expect(await openTitles(ctx)).toEqual([])
      const again = await added(ctx, jobs('1', '2'))
      expect(await lastRun(ctx, again)).toMatchObject({ added: 2 })
      expect(await openTitles(ctx)).toEqual(['Fitter 1', 'Fitter 2'])
      expect(await ctx.db.query(sql`select from job_postings`)).toHaveLength(2)
      const log = await ctx.db.query(
        sql`select admin_name, action, subject from admin_log order by id`,
      )
      expect(log).toHaveLength(3)
      expect(log).toContainEqual({ admin_name: 'Ada', action: 'remove-job-feed', subject: ADDRESS })
    }))
})

describe('an employer’s feed', () => {
  test('only posts for their own company, and needn’t name it', () =>
    as('erin', async (ctx) => {
      const company = await giveErinHerCompany(ctx.db)
      await ctx.db.query(
        sql`insert into companies (name, name_key, slug) values ('Other', 'other', 'other')`,
      )
      const rows = [job({ company: '' }), job({ id: '2' }), job({ id: '3', company: 'Other' })]
      const id = await added(ctx, rows, company)
      expect(await openTitles(ctx)).toEqual(['Fitter 1', 'Fitter 2'])
      expect((await lastRun(ctx, id))?.omittedRows).toEqual([
        {
          row: 3,
          reason: 'This job is for “Other”. This feed can only post jobs at Erin and Sons.',
        },
      ])
      expect(await ctx.db.query(sql`select from admin_log`)).toEqual([])
      expect((await jobFeeds(ctx, company)).feeds).toMatchObject([
        { company: { name: 'Erin and Sons', path: '/erin-and-sons' } },
      ])
      await expect(jobFeeds(ctx, null)).rejects.toThrow('Only an administrator')
      await expect(addFeed(ctx, { address: ADDRESS })).rejects.toThrow('Only an administrator')
    }))

  test('stops at the next job once they can’t act for it, and a colleague can take it over', () =>
    as('erin', async (ctx) => {
      const { ada } = castOn(ctx)
      const company = await giveErinHerCompany(ctx.db)
      const { id } = await addFeed(ctx, { address: ADDRESS, company })
      await readFeed(ctx, id, {
        fetchPublic: async (url, limits) => {
          await ctx.db.query(sql`update employer_claims set status = 'revoked'`)
          return siteWith(jobs('1')).fetchPublic(url, limits)
        },
      })
      expect(await openTitles(ctx)).toEqual([])
      expect(await feedOf(ctx, id)).toMatchObject({
        paused: 'The person who added it can no longer post these jobs. Resume it to take it over.',
      })
      await expect(setPaused(ctx, id, false)).rejects.toThrow('Only people who act for the company')
      await setPaused(ada, id, false)
      await readFeed(ada, id, siteWith(jobs('1')))
      expect(await openTitles(ctx)).toEqual(['Fitter 1'])
    }))

  test('waits for someone else after their account is deleted', () =>
    as('erin', async (ctx) => {
      const company = await giveErinHerCompany(ctx.db)
      const id = await added(ctx, jobs('1'), company)
      await ctx.db.query(sql`delete from accounts where id = ${ctx.actor.account?.id}`)
      await nextDay(ctx, jobs('1', '2'))
      expect(await feedOf(ctx, id)).toMatchObject({
        openJobs: 1,
        paused: expect.stringContaining('take it over'),
      })
    }))

  test('can be tried first, which posts nothing', () =>
    as('erin', async (ctx) => {
      const company = await giveErinHerCompany(ctx.db)
      const { fetchPublic } = siteWith([...jobs('1', '2', '3', '4'), job({ id: '5', city: '' })])
      expect(await tryFeed(ctx, { address: ADDRESS, company }, fetchPublic)).toMatchObject({
        ...{ listed: 5, fine: 4 },
        jobs: [
          {
            title: 'Fitter 1',
            company: 'Erin and Sons',
            location: 'Berlin, Germany',
            salary: '€50,000–60,000 a year',
          },
          { title: 'Fitter 2' },
          { title: 'Fitter 3' },
        ],
        omittedRows: [{ row: 5, reason: 'Please say where people work' }],
      })
      expect(await ctx.db.query(sql`select from job_postings`)).toEqual([])
      await expect(
        tryFeed(ctx, { address: ADDRESS, company }, siteWith(gone()).fetchPublic),
      ).rejects.toThrow('The feed returned status 500')
    }))
})

test.each([
  ['', 'Please enter the feed’s address'],
  ['ftp://a.example/feed', 'The feed must start with http:// or https://'],
  ['http://127.0.0.1/feed', 'The feed must be on the public web, such as https://example.com'],
  ['https://erin:tea@a.example/feed', 'The feed’s address can’t contain a username or password'],
  [`https://a.example/${'a'.repeat(2_000)}`, 'A feed’s address can have at most 2,000 characters'],
])('the address “%s” is refused', (address, sentence) =>
  as('ada', async (ctx) => {
    await expect(addFeed(ctx, { address })).rejects.toThrow(sentence)
  }),
)

test('a feed is due again a day later, so a scan every hour finds it', () =>
  as('ada', async (ctx) => {
    await giveErinHerCompany(ctx.db)
    const id = await added(ctx, jobs('1'))
    const [feed] = await ctx.db.query<{ due: string }>(
      sql`select due_at as due from job_feeds where id = ${id}`,
    )
    const wait = new Date(feed?.due ?? 0).getTime() - ctx.now().getTime()
    expect(wait).toBeLessThan(DAY_MS)
    expect(wait).toBeGreaterThan(DAY_MS / 2)
  }))
