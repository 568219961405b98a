/** Feeds as a reader fetches them. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  childrenOf,
  parseXml,
  textOf,
} from '#app/community/discussions/feeds/strict-xml.fixture.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { ALL_ON, bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { aThread, startThread } from '#tests/support/unlimited.ts'
import { registerFeeds } from './feed.server.ts'

const { as } = withDatabase()

/** The site with its feeds; its address is known later than its routes. */
async function reader(ctx: Ctx) {
  const http = bareHttp()
  let isListening = false
  const siteUrl = () => (isListening ? 'https://kettle.example' : 'http://not-yet')
  const auth = { siteName: 'Kettle', siteUrl }
  registerFeeds(http, { context: ctx, auth, flags: ALL_ON })
  isListening = true
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    http.inject({ method, url, headers })
  const titles = async (url: string) =>
    childrenOf(parseXml((await get(url)).body), 'entry').map((entry) => textOf(entry, 'title'))
  const rename = (siteName: string) => {
    auth.siteName = siteName
  }
  return { get, titles, rename }
}

test('a feed reader gets the newest threads as everyone sees them', () =>
  as('vera', async (ctx) => {
    const { get } = await reader(ctx)
    const { id, path } = await startThread(
      ctx,
      aThread({ topics: ['pay', 'culture'], body: 'They say **nobody** comes in.' }),
    )
    const answer = await get('/feeds/discussions.atom')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
    })
    const [entry] = childrenOf(parseXml(answer.body), 'entry')
    if (!entry) throw new Error('No entry')
    expect(textOf(entry, 'id')).toBe(`urn:uuid:${id}`)
    expect(childrenOf(entry, 'link')[0]?.attributes.href).toBe(`https://kettle.example${path}`)
    expect(textOf(entry, 'updated')).toBe('2026-03-14T09:26:00Z')
    expect(textOf(entry, 'content')).toContain('<strong>nobody</strong>')
    expect(childrenOf(entry, 'category').map(({ attributes }) => attributes.term)).toEqual([
      'culture',
      'pay',
    ])
    const [author] = childrenOf(entry, 'author')
    expect(author && textOf(author, 'name')).toMatch(/^Anonymous · [A-Z][a-z]+ [A-Z][a-z]+$/)
    expect(answer.body).not.toContain(ctx.actor.authorKey)
  }))

test('a feed has the name that an administrator gives the site while it runs', () =>
  as('vera', async (ctx) => {
    const { get, rename } = await reader(ctx)
    const title = async () => textOf(parseXml((await get('/feeds/discussions.atom')).body), 'title')
    expect(await title()).toBe('Discussions – Kettle')
    rename('Samovar')
    expect(await title()).toBe('Discussions – Samovar')
  }))

test('a feed is for a company, by id or slug, or for a topic', () =>
  as('dana', async (ctx) => {
    const { titles } = await reader(ctx)
    const companyId = await giveErinHerCompany(ctx.db)
    await startThread(ctx, aThread({ title: 'About the company', companyId }))
    await startThread(ctx, aThread({ title: 'About the money', topics: ['pay'] }))
    expect(await titles(`/feeds/company/${companyId}.atom`)).toEqual(['About the company'])
    expect(await titles('/feeds/company/erin-and-sons.atom')).toEqual(['About the company'])
    expect(await titles('/feeds/topic/pay.atom')).toEqual(['About the money'])
    expect(await titles('/feeds/topic/layoffs.atom')).toEqual([])
    expect(await titles('/feeds/discussions.atom')).toHaveLength(2)
  }))

test('held and removed threads aren’t in any feed', () =>
  as('dana', async (ctx) => {
    const { titles } = await reader(ctx)
    const companyId = await giveErinHerCompany(ctx.db)
    const seen = aThread({ title: 'A thread for all', companyId, topics: ['pay'] })
    await startThread(ctx, seen)
    for (const state of ['held', 'removed']) {
      const { id } = await startThread(ctx, {
        ...seen,
        title: `This one is ${state}`,
        idempotencyKey: crypto.randomUUID(),
      })
      await ctx.db.query(sql`update threads set hidden = ${state} where id = ${id}`)
    }
    for (const feed of ['discussions', 'company/erin-and-sons', 'topic/pay'])
      expect(await titles(`/feeds/${feed}.atom`)).toEqual(['A thread for all'])
  }))

test('a feed ends after thirty threads, the newest first', () =>
  as('dana', async (ctx) => {
    const { titles } = await reader(ctx)
    for (let n = 0; n < 32; n++) {
      const then = new Date(ctx.now().getTime() + n * 60_000)
      await startThread({ ...ctx, now: () => then }, aThread({ title: `Thread number ${n}` }))
    }
    const found = await titles('/feeds/discussions.atom')
    expect(found).toHaveLength(30)
    expect(found[0]).toBe('Thread number 31')
  }))

test('a reader who has the current feed gets 304 without a copy', () =>
  as('dana', async (ctx) => {
    const { get } = await reader(ctx)
    await startThread(ctx, aThread())
    const { etag } = (await get('/feeds/discussions.atom')).headers as { etag: string }
    const again = await get('/feeds/discussions.atom', { 'if-none-match': `"other", ${etag}` })
    expect(again).toMatchObject({ statusCode: 304, body: '' })
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=300' })
    await startThread(ctx, aThread({ title: 'Another thread' }))
    const news = await get('/feeds/discussions.atom', { 'if-none-match': etag })
    expect(news.statusCode).toBe(200)
    const head = await get('/feeds/discussions.atom', {}, 'HEAD')
    expect(head).toMatchObject({ statusCode: 200, body: '' })
    expect(head.headers.etag).toBe(news.headers.etag)
  }))

test('a feed of something that doesn’t exist gets the API’s 404', () =>
  as('vera', async (ctx) => {
    const { get } = await reader(ctx)
    for (const path of [
      'company/nobody-knows-it.atom',
      `company/${crypto.randomUUID()}.atom`,
      'company/.atom',
      'company/x',
      'topic/nothing.atom',
      `topic/${encodeURIComponent(`';--"<>`)}.atom`,
      'topic/pay',
      'elsewhere.atom',
    ]) {
      const answer = await get(`/feeds/${path}`)
      expect(answer.statusCode, path).toBe(404)
      expect(answer.json(), path).toMatchObject({
        error: { code: 'not-found', message: expect.stringMatching(/\w+/) },
      })
    }
  }))
