import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'
import { repeatedField } from './request-body.server.ts'

test.each([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":"\\"a\\":"}]}', undefined],
  ['["a","a",{"a":"a"}]', undefined],
  ['{"a":":","b" : "\\\\","c":"{"}', undefined],
  ['"a"', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":1},\n "a"\t: 2}', 'a'],
  ['{"x":[{"y":1,"\\u0079":2}]}', 'y'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
])('the body %s says %s twice', (json, name) => {
  expect(() => JSON.parse(json)).not.toThrow()
  expect(repeatedField(json)).toBe(name)
})

test('a long text, and one of many brackets, take no time', () => {
  const before = process.cpuUsage()
  for (const json of [
    `{"a":"${'\\"'.repeat(100_000)}"}`,
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `["a"${' '.repeat(200_000)}]`,
  ])
    expect(repeatedField(json)).toBeUndefined()
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
})

/** We don't wait forever for a body that arrives in drops. */
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

test('a body that arrives in time gets an answer', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect(await answer.json()).toEqual({ a: 1 })
})
