/** How often sitemaps and feeds may be fetched: no search engine meets it, who fetches without end does. */
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Http } from '#app/platform/http/http.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { limitCrawlers, PART_SIZE } from './crawler-files.server.ts'

/** Its routes answer at once: what is limited is who asks. */
function openSite(hasRateLimits = true) {
  const { trustProxy } = readConfig({ TRUST_PROXY: '1' })
  const http = Fastify({ trustProxy }) as unknown as Http
  limitCrawlers(http, { hasRateLimits })
  for (const path of ['/sitemap.xml', '/sitemaps/:file', '/feeds/*', '/robots.txt', '/sitemapper'])
    http.get(path, async () => 'here')
  return async (url: string, { times = 1, from = '198.51.100.7' } = {}) => {
    const headers = { 'x-forwarded-for': from }
    const asked = Array.from({ length: times }, () => http.inject({ url, headers }))
    const answers = await Promise.all(asked)
    const statuses: Record<number, number> = {}
    for (const { statusCode } of answers) statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    return { statuses, last: answers.at(-1) }
  }
}

test('a search engine reads the whole sitemap of three million addresses twice in a row', async () => {
  const ask = openSite()
  const parts = (2 * 3_000_000) / PART_SIZE - 2
  expect((await ask('/sitemap.xml', { times: 2 })).statuses).toEqual({ 200: 2 })
  expect((await ask('/sitemaps/companies-1.xml', { times: parts })).statuses).toEqual({
    200: parts,
  })
})

test('a feed reader gets a thousand feeds within a minute', async () => {
  const { statuses } = await openSite()('/feeds/company/acme.atom', { times: 1_000 })
  expect(statuses).toEqual({ 200: 1_000 })
})

test('a crawler that never stops reads how long to wait, and no one else does', async () => {
  const ask = openSite()
  const { statuses, last } = await ask('/sitemaps/threads-1.xml', { times: 650 })
  expect(statuses).toEqual({ 200: 600, 429: 50 })
  expect(last?.json()).toMatchObject({
    message: expect.stringMatching(/^Too many requests\. Please wait [56]\d\d seconds\.$/),
  })
  expect((await ask('/sitemap.xml')).statuses).toEqual({ 429: 1 })
  for (const url of ['/feeds/discussions.atom', '/robots.txt', '/sitemapper'])
    expect((await ask(url)).statuses, url).toEqual({ 200: 1 })
  const other = { from: '203.0.113.9' }
  expect((await ask('/sitemaps/threads-1.xml', other)).statuses).toEqual({ 200: 1 })
})

test('no one waits if limits are off', async () => {
  const { statuses } = await openSite(false)('/sitemap.xml', { times: 700 })
  expect(statuses).toEqual({ 200: 700 })
})
