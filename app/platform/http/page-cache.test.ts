import { randomBytes, randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import {
  type CachedPage,
  cachedPage,
  createPageCache,
  type PageCache,
  type RenderedPage,
} from './page-cache.server.ts'

const html = (text: string): RenderedPage => ({ status: 200, html: text })

/** What would leave the server for a request with these headers. */
async function ask(
  cache: PageCache,
  key: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers, method, url: key })
  const response = new ServerResponse(request)
  const sent: { status: number; headers: Record<string, string>; body?: Buffer } = {
    status: 0,
    headers: {},
  }
  response.writeHead = ((status: number, list: string[]) => {
    sent.status = status
    for (let i = 0; i < list.length; i += 2) sent.headers[list[i] ?? ''] = list[i + 1] ?? ''
    return response
  }) as never
  const ended = new Promise<void>((resolve) => {
    response.end = ((body?: Buffer) => {
      sent.body = body
      resolve()
      return response
    }) as never
  })
  const fromCache = cache.sendCached(key, request, response)
  if (!fromCache) await cache.renderAndSend(key, request, response)
  await ended
  return { ...sent, fromCache }
}

test('a page is rendered once and then sent from the cache', async () => {
  const render = vi.fn(async (key: string) => html(`<p>${key}</p>`))
  const cache = createPageCache(render, { headers: [['x-policy', 'strict']] })
  const first = await ask(cache, '/a')
  const second = await ask(cache, '/a', { 'accept-encoding': 'gzip, br' })
  expect([first.fromCache, second.fromCache]).toEqual([false, true])
  expect(render).toHaveBeenCalledTimes(1)
  expect(String(first.body)).toBe('<p>/a</p>')
  expect(second.headers).toMatchObject({
    'content-encoding': 'br',
    'x-policy': 'strict',
    vary: 'accept-encoding',
    'cache-control': expect.stringMatching(/s-maxage=\d+, stale-while-revalidate=\d+/),
  })
  expect(String(brotliDecompressSync(second.body as Buffer))).toBe('<p>/a</p>')
})

test('a hundred requests for a new page at once render it once', async () => {
  const render = vi.fn(async () => html('x'))
  const cache = createPageCache(render, { headers: [] })
  await Promise.all(Array.from({ length: 100 }, () => ask(cache, '/a')))
  expect(render).toHaveBeenCalledTimes(1)
})

test('a browser that has the page gets 304, and HEAD gets no body either', async () => {
  const cache = createPageCache(async () => html('x'), { headers: [] })
  const { etag = '' } = (await ask(cache, '/a')).headers
  expect(await ask(cache, '/a', { 'if-none-match': etag })).toMatchObject({
    status: 304,
    body: undefined,
  })
  expect(await ask(cache, '/a', {}, 'HEAD')).toMatchObject({ status: 200, body: undefined })
})

test('an old page is sent while it’s refreshed, but not a very old one', async () => {
  let now = 0
  let version = 1
  const cache = createPageCache(async () => html(`version ${version}`), {
    headers: [],
    now: () => now,
  })
  await ask(cache, '/a')
  version = 2
  now = 31_000
  expect(String((await ask(cache, '/a')).body)).toBe('version 1')
  await expect.poll(async () => String((await ask(cache, '/a')).body)).toBe('version 2')
  version = 3
  now += 10 * 60_000
  expect(await ask(cache, '/a')).toMatchObject({ fromCache: false })
})

test('a failed refresh keeps the cached page', async () => {
  let now = 0
  const render = vi.fn(async () => html('good'))
  const cache = createPageCache(render, { headers: [], now: () => now })
  await ask(cache, '/a')
  render.mockRejectedValue(new Error('the database is away'))
  now = 31_000
  expect(String((await ask(cache, '/a')).body)).toBe('good')
  expect(String((await ask(cache, '/a')).body)).toBe('good')
})

test('redirects and failures are never cached', async () => {
  for (const page of [
    { status: 503, html: 'x' },
    { status: 301, location: '/b' },
  ] as RenderedPage[]) {
    const render = vi.fn(async () => page)
    const cache = createPageCache(render, { headers: [] })
    for (let i = 0; i < 2; i++)
      expect(await ask(cache, '/a')).toMatchObject({ status: page.status, fromCache: false })
    expect(render).toHaveBeenCalledTimes(2)
  }
})

test.each([404, 410] as const)(
  'a missing page (%s) is cached for ten seconds or until something could be there',
  async (status) => {
    let now = 0
    const render = vi.fn(async () => ({ status, html: 'nothing' }) as RenderedPage)
    const cache = createPageCache(render, { headers: [], now: () => now })
    expect(await ask(cache, '/a')).toMatchObject({ status, fromCache: false })
    now = 9_000
    const kept = await ask(cache, '/a', { 'if-none-match': '*' })
    expect(kept).toMatchObject({
      status,
      fromCache: true,
      headers: { 'cache-control': 'no-store' },
    })
    expect(String(kept.body)).toBe('nothing')
    now = 11_000
    expect(await ask(cache, '/a')).toMatchObject({ status, fromCache: false })
    render.mockResolvedValue(html('something'))
    cache.forget('/a')
    expect(await ask(cache, '/a')).toMatchObject({ status: 200, fromCache: false })
    expect(await ask(cache, '/a')).toMatchObject({ status: 200, fromCache: true })
  },
)

test('a page hidden from one caller isn’t missing for the next', async () => {
  const cache = createPageCache(async () => ({ status: 404, html: 'nothing' }), { headers: [] })
  const response = { writeHead: () => {}, end: () => {} } as never
  const request = { headers: {} } as never
  await cache.renderAndSend('/metrics', request, response, { isForSomeone: true })
  expect(cache.sendCached('/metrics', request, response)).toBe(false)
})

test('the same 404 page for many addresses is stored once', async () => {
  const nowhere: RenderedPage = { status: 404, html: 'Nothing is here' }
  const cache = createPageCache(async () => nowhere, { headers: [] })
  const brotli = { 'accept-encoding': 'br' }
  const one = await ask(cache, '/made-up', brotli)
  const other = await ask(cache, '/made-up-too', brotli)
  expect([one.status, other.status]).toEqual([404, 404])
  expect(other.body).toBe(one.body)
  expect(String(brotliDecompressSync(other.body as Buffer))).toBe('Nothing is here')
})

slow.test('made-up addresses push no page out of the cache', async () => {
  const nothing = randomBytes(500_000).toString('hex')
  const cache = createPageCache(
    async (key) => (key === '/a' ? html('page') : { status: 404, html: nothing }),
    { headers: [] },
  )
  await ask(cache, '/a')
  // Each is half a megabyte that can't be compressed further. Together they exceed the whole cache.
  for (let n = 0; n < 110; n++) await ask(cache, `/made-up-${n}`, {}, 'HEAD')
  expect(await ask(cache, '/a')).toMatchObject({ fromCache: true })
  expect(await ask(cache, '/made-up-0')).toMatchObject({ fromCache: false })
})

test('a page whose content changed is rendered again, even while it’s being rendered', async () => {
  let version = 1
  let release = () => {}
  const cache = createPageCache(
    async (key) => {
      const shown = version
      if (key === '/thread/slow') await new Promise<void>((resolve) => (release = resolve))
      return html(`<p>${shown}</p>`)
    },
    { headers: [] },
  )
  await ask(cache, '/thread/a?sort=new')
  await ask(cache, '/companies')
  const slow = ask(cache, '/thread/slow')
  version = 2
  cache.forget('/thread/')
  release()
  expect(String((await slow).body)).toBe('<p>1</p>')
  expect(String((await ask(cache, '/thread/a?sort=new')).body)).toBe('<p>2</p>')
  expect((await ask(cache, '/companies')).fromCache).toBe(true)
  const again = ask(cache, '/thread/slow')
  await Promise.resolve()
  release()
  expect(String((await again).body)).toBe('<p>2</p>')
})

test('a browser without Brotli gets the page uncompressed from the same copy', async () => {
  const cache = createPageCache(async () => html('<p>plain</p>'), {
    headers: [['x-policy', 'strict']],
  })
  await ask(cache, '/a')
  const asked = Array.from({ length: 50 }, () => ask(cache, '/a', { 'accept-encoding': 'gzip' }))
  for (const { fromCache, headers, body } of await Promise.all(asked)) {
    expect(fromCache).toBe(true)
    expect(String(body)).toBe('<p>plain</p>')
    expect(headers).toMatchObject({ 'content-length': '12', 'x-policy': 'strict' })
    expect(headers['content-encoding']).toBeUndefined()
  }
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a cached page stores its bytes and linked threads, not its markup', async () => {
  const pages: CachedPage[] = []
  const usedMb = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const before = usedMb()
  for (let n = 0; n < 200; n++) {
    const links = Array.from({ length: 5 }, () => `<a href="/thread/${randomUUID()}">A thread</a>`)
    const html = [...links, 'word '.repeat(60_000)].join('')
    pages.push(await cachedPage({ status: 200, html }, { headers: [], renderedAt: 0 }))
  }
  // Their markup is 60 MB.
  expect(usedMb() - before).toBeLessThan(20)
  expect(pages.every(({ threads }) => threads.size === 5)).toBe(true)
})

test('a short page stores only its own bytes, not zlib’s whole buffer', async () => {
  const page = await cachedPage(
    { status: 200, html: 'Tea at four.' },
    { headers: [], renderedAt: 0 },
  )
  expect(page.brotli.buffer.byteLength).toBe(page.brotli.length)
})
