/** Mails about a company on a real database: erin and dana act for it, people write and rate. */
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { chooseCompanyNews } from '#app/companies/claims/claim-commands.server.ts'
import { myClaims } from '#app/companies/claims/claim-queries.server.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { authored } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  COMPANY_NEWS_TASK,
  type CompanyNews,
  claimOfToken,
  NEWS_MAX,
  newsOffToken,
  newsSentence,
  queueCompanyNews,
  registerNewsOff,
  sendCompanyNews,
} from './company-news.server.ts'

const { as, outside } = withDatabase()

const SITE = {
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
  hasThreads: true,
  hasNotes: true,
}
const at = (ctx: Ctx, moment: string): Ctx => ({ ...ctx, now: () => new Date(moment) })

async function thread(
  { db }: Ctx,
  companyId: string,
  moment: string,
  hidden: string | null = null,
) {
  const id = randomUUID()
  const its = authored('ann', id)
  await db.query(sql`
    insert into threads (id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html,
                         excerpt, posted_minute, idempotency_key, hidden)
    values (${id}, ${companyId}, ${its.key}, ${its.ownRowKey}, ${its.personSealed}, 'Calm heron', false,
            'Quiet on Fridays?', 'Nobody is in.', '', '', ${Date.parse(moment) / 60_000}, ${id},
            ${hidden})`)
  return id
}

async function note({ db }: Ctx, companyId: string, words: string, hidden: string | null = null) {
  const id = randomUUID()
  await db.query(sql`
    insert into public_ratings (id, company_id, month, culture, note, note_hidden)
    values (${id}, ${companyId}, '2026-03-01', 3, ${words}, ${hidden})`)
  return id
}

/** What lies in the queue is taken out of it. */
const queued = async ({ db }: Ctx) =>
  (
    await db.query<{ payload: CompanyNews }>(sql`
      delete from job_queue where kind = ${COMPANY_NEWS_TASK} returning payload`)
  ).map(({ payload }) => payload)

async function send(ctx: Ctx, news: CompanyNews[], site = SITE) {
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  for (const each of news) await sendCompanyNews(ctx, mailer, site, each)
  return mails
}

/** Erin's company, of which yesterday's run has told everything. */
const afterFirstRun = (work: (ctx: Ctx, company: string) => Promise<void>) =>
  as('erin', async (ctx) => {
    const company = await giveErinHerCompany(ctx.db)
    await thread(ctx, company, '2026-03-10T10:00Z')
    await note(ctx, company, 'As it was.')
    await queueCompanyNews(at(ctx, '2026-03-12T04:00Z'))
    expect(await queued(ctx)).toEqual([])
    await work(ctx, company)
  })
const TODAY = '2026-03-13T04:00Z'

describe('the daily mail', () => {
  test('erin’s mail counts new threads and notes, without titles, words, names or minutes', () =>
    afterFirstRun(async (ctx, company) => {
      await thread(ctx, company, '2026-03-12T10:17Z')
      await thread(ctx, company, '2026-03-12T11:23Z')
      await note(ctx, company, 'The lamps are dim.')
      await queueCompanyNews(at(ctx, TODAY))
      const [mail, ...more] = await send(ctx, await queued(ctx))
      expect(more).toEqual([])
      expect(mail).toMatchObject({
        to: 'erin@kettle.example',
        subject: 'New on Kettle: Erin and Sons',
      })
      expect(mail?.text).toContain('2 new threads, 1 rating note.')
      expect(mail?.text).toContain('https://kettle.example/erin-and-sons')
      expect(JSON.stringify(mail)).not.toMatch(/Quiet|Nobody is in|lamps|heron|10:17|11:23|2026-03/)
    }))

  test('erin gets no mail if there’s nothing new, and none about the same post twice', () =>
    afterFirstRun(async (ctx, company) => {
      await queueCompanyNews(at(ctx, TODAY))
      expect(await queued(ctx)).toEqual([])
      await thread(ctx, company, '2026-03-13T10:00Z')
      await queueCompanyNews(at(ctx, '2026-03-13T23:00Z'))
      expect(await queued(ctx)).toEqual([])
      await queueCompanyNews(at(ctx, '2026-03-14T04:00Z'))
      expect(await queued(ctx)).toHaveLength(1)
      await queueCompanyNews(at(ctx, '2026-03-15T04:00Z'))
      expect(await queued(ctx)).toEqual([])
    }))

  test('three processes at once queue one mail', async () => {
    const db = outside()
    const base = await as('erin', async (ctx) => ({ ...ctx, db }))
    const company = await giveErinHerCompany(db)
    try {
      await queueCompanyNews(at(base, '2026-03-12T04:00Z'))
      await thread(base, company, '2026-03-12T10:00Z')
      await Promise.all([1, 2, 3].map(() => queueCompanyNews(at(base, TODAY))))
      expect(await queued(base)).toHaveLength(1)
    } finally {
      await db.query(sql`delete from threads where company_id = ${company}`)
      await db.query(sql`delete from companies where id = ${company}`)
    }
  })
})

describe('what’s public when the mail goes out', () => {
  test('erin’s mail leaves out held and hidden posts, and counts a note once it’s released', () =>
    afterFirstRun(async (ctx, company) => {
      await thread(ctx, company, '2026-03-12T10:00Z', 'held')
      const held = await note(ctx, company, 'Held.', 'held')
      await queueCompanyNews(at(ctx, TODAY))
      expect(await queued(ctx)).toEqual([])
      await ctx.db.query(sql`update public_ratings set note_hidden = null where id = ${held}`)
      await queueCompanyNews(at(ctx, '2026-03-14T04:00Z'))
      expect((await queued(ctx)).map(({ notes }) => notes)).toEqual([[held]])
    }))

  test('erin’s mail leaves out posts removed while it was queued, and isn’t sent if none are left', () =>
    afterFirstRun(async (ctx, company) => {
      const first = await thread(ctx, company, '2026-03-12T10:00Z')
      await thread(ctx, company, '2026-03-12T11:00Z')
      await queueCompanyNews(at(ctx, TODAY))
      const news = await queued(ctx)
      await ctx.db.query(sql`update threads set hidden = 'removed' where id = ${first}`)
      expect((await send(ctx, news))[0]?.text).toContain('1 new thread.')
      expect(await send(ctx, news, { ...SITE, hasThreads: false })).toEqual([])
      await ctx.db.query(sql`update threads set hidden = 'held'`)
      expect(await send(ctx, news)).toEqual([])
    }))

  test('erin gets no mail once her claim is revoked', () =>
    afterFirstRun(async (ctx, company) => {
      await thread(ctx, company, '2026-03-12T10:00Z')
      await queueCompanyNews(at(ctx, TODAY))
      const news = await queued(ctx)
      await ctx.db.query(sql`update employer_claims set status = 'revoked'`)
      expect(await send(ctx, news)).toEqual([])
    }))
})

describe('each employer chooses', () => {
  test('erin turns the mails off in her settings, and her colleague still gets them', async () => {
    const dana = await as('dana', async ({ actor }) => actor.account?.id)
    await afterFirstRun(async (ctx, company) => {
      await ctx.db.query(sql`
        insert into employer_claims (account_id, company_id, status)
        values (${dana}, ${company}, 'approved')`)
      const [claim] = await myClaims(ctx)
      expect(claim?.wantsNews).toBe(true)
      const chosen = await chooseCompanyNews(ctx, claim?.id as string, false)
      expect(chosen.wantsNews).toBe(false)
      await thread(ctx, company, '2026-03-12T10:00Z')
      await queueCompanyNews(at(ctx, TODAY))
      const mails = await send(ctx, await queued(ctx))
      expect(mails.map(({ to }) => to)).toEqual(['dana@kettle.example'])
    })
  })

  test('erin turns the mails off by their link, which takes a click, not just a visit', () =>
    afterFirstRun(async (ctx, company) => {
      await thread(ctx, company, '2026-03-12T10:00Z')
      await queueCompanyNews(at(ctx, TODAY))
      const [mail] = await send(ctx, await queued(ctx))
      const link = /https:\/\/kettle\.example(\/claims\/news-off\?token=\S+)/.exec(
        mail?.text ?? '',
      )?.[1]
      expect(mail?.headers).toMatchObject({
        'List-Unsubscribe': `<https://kettle.example${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      })
      const app = Fastify()
      registerNewsOff(app, {
        context: ctx,
        site: { siteName: 'Kettle' },
        htmlPage: (title, body) => `<title>${title}</title>${body}`,
      })
      const wants = async () => (await myClaims(ctx))[0]?.wantsNews
      expect((await app.inject({ method: 'GET', url: link as string })).statusCode).toBe(200)
      expect(await wants()).toBe(true)
      for (const bad of ['x', '', newsOffToken(ctx.secrets, 'no id')])
        expect(
          (
            await app.inject({
              method: 'POST',
              url: `/claims/news-off?token=${encodeURIComponent(bad)}`,
            })
          ).statusCode,
        ).toBe(400)
      expect(await wants()).toBe(true)
      expect((await app.inject({ method: 'POST', url: link as string })).statusCode).toBe(200)
      expect(await wants()).toBe(false)
      expect(claimOfToken(ctx.secrets, ctx.secrets.seal('unsubscribe x'))).toBeUndefined()
    }))
})

test('the mail puts its numbers in words', () => {
  expect(newsSentence({ threads: 1, notes: 0 })).toBe('1 new thread.')
  expect(newsSentence({ threads: NEWS_MAX + 1, notes: 2 })).toBe(
    'more than 500 new threads, 2 rating notes.',
  )
})
