/** A body that comes drop by drop is not waited for without end. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'

let site: Http
let port: number

beforeAll(async () => {
  const cache = createPageCache(async () => ({ status: 404, html: '' }), { headers: [] })
  site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    pages: { keyOf: (url) => url, cache },
    bodyWithinMs: 300,
  })
  site.post('/api/v1/echo', async ({ body }) => body)
  await site.listen({ host: '127.0.0.1', port: 0 })
  port = (site.server.address() as { port: number }).port
})
afterAll(() => site.close())

/** Sends the beginning of a request and nothing more; answers what came until the connection ended. */
function sendOnly(text: string) {
  return new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
const head = (...lines: string[]) =>
  [
    'POST /api/v1/echo HTTP/1.1',
    'host: site',
    'content-type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n')

test.each([
  ['of a declared length', `${head('content-length: 100')}{"a":`],
  ['in chunks', `${head('transfer-encoding: chunked')}5\r\n{"a":\r\n`],
  ['that never begins', head('content-length: 100')],
])('a body %s is cut off with a 408', async (_, text) => {
  const answer = await sendOnly(text)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('This request took too long to arrive')
})

test('a body that is here in time is answered', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect(await answer.json()).toEqual({ a: 1 })
})
