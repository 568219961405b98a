import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { projectFolder } from '../folders.server.ts'
import { createHttp, type Http } from '../http/http.server.ts'
import { createPageCache } from '../http/page-cache.server.ts'
import { readConfig } from './config.server.ts'
import { shutdownOf } from './shutdown.server.ts'

let site: Http
afterEach(() => site.close())

/** A promise, and what resolves it: Node 20 has none of its own. */
function promised<Result = void>() {
  let resolve: (result: Result) => void = () => {}
  const promise = new Promise<Result>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** A site whose `/slow` answers when it is told to, and whose `/stream` never ends by itself. */
async function openSite() {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const cache = createPageCache(async () => ({ status: 404, html: 'nothing' }), { headers: [] })
  site = await createHttp({ config, pages: { keyOf: (url) => url, cache } })
  const finish = promised()
  const asked = promised()
  site.get('/slow', async () => {
    asked.resolve()
    await finish.promise
    return { said: 'in the end' }
  })
  // More than any pipe between the two holds.
  site.get('/large', async () => 'x'.repeat(64 * 1024 * 1024))
  site.get('/healthz', async () => ({ status: 'ok' }))
  const url = await site.listen({ host: '127.0.0.1', port: 0 })
  return { url, finish, asked, shutdown: shutdownOf(site) }
}

test('a request in progress gets its answer, and the connection closes after it', async () => {
  const { url, finish, asked, shutdown } = await openSite()
  const slow = fetch(`${url}/slow`)
  await asked.promise
  const stopped = shutdown.begin(5_000)
  expect((await fetch(`${url}/companies`)).status).toBe(503)
  finish.resolve()
  const answer = await slow
  expect(await answer.json()).toEqual({ said: 'in the end' })
  expect(answer.headers.get('connection')).toBe('close')
  expect(await stopped).toBe(true)
})

test('a request during the stop is refused with a sentence and a time', async () => {
  const { url, finish, asked, shutdown } = await openSite()
  const slow = fetch(`${url}/slow`)
  await asked.promise
  const stopped = shutdown.begin(5_000)
  const page = await fetch(`${url}/companies`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBe('5')
  expect(page.headers.get('connection')).toBe('close')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  const html = await page.text()
  expect(html).toBe(await readFile(join(projectFolder, 'deploy/restarting.html'), 'utf8'))
  // Its policy allows what's in it, and nothing else.
  const inline = [...html.matchAll(/<(?:style|script)>([\s\S]*?)<\//g)].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  )
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src ${inline[0]}; script-src ${inline[1]}`,
  )

  const posted = await fetch(`${url}/api/v1/threads`, {
    method: 'POST',
    body: 'x'.repeat(1024 * 1024),
  })
  expect(posted.status).toBe(503)
  expect(await posted.json()).toEqual({
    error: {
      code: 'unavailable',
      message: 'The site is restarting. Please try again in a moment.',
    },
  })
  // Health checks still get an answer.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  finish.resolve()
  await slow
  expect(await stopped).toBe(true)
})

test('a page that’s being rendered can ask its own site during the stop', async () => {
  const { finish, asked, shutdown } = await openSite()
  finish.resolve()
  const stopped = shutdown.begin(1_000)
  const answer = await site.inject({ method: 'GET', url: '/slow' })
  await asked.promise
  expect(answer.json()).toEqual({ said: 'in the end' })
  await stopped
})

slow.test('a client that never reads is cut off when patience ends', async () => {
  const { url, shutdown } = await openSite()
  const { port } = new URL(url)
  const { connect } = await import('node:net')
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  socket.pause()
  socket.on('error', () => {})
  socket.write('GET /large HTTP/1.1\r\nhost: here\r\n\r\n')
  await expect.poll(() => shutdown.open.size).toBe(1)
  expect(await shutdown.begin(300)).toBe(false)
  socket.resume()
  await once(socket, 'close')
})
