import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'

let site: Http
let clientFolder: string
let address: string

beforeAll(async () => {
  clientFolder = await mkdtemp(join(tmpdir(), 'kettle-client-'))
  await mkdir(join(clientFolder, 'assets'))
  await writeFile(join(clientFolder, 'assets/main-AbCd.js'), 'say("hello")')
  await writeFile(join(clientFolder, 'assets/main-AbCd.js.br'), brotliCompressSync('say("hello")'))
  await writeFile(join(clientFolder, 'favicon.svg'), '<svg/>')
  await writeFile(join(clientFolder, 'share.png'), 'a picture')
  const cache = createPageCache(async () => ({ status: 404, html: '' }), { headers: [] })
  site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    clientFolder,
    pages: { keyOf: (url) => url, cache },
  })
  address = await site.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await site.close()
  await rm(clientFolder, { recursive: true })
})

test('browsers cache files with a content hash for a year', async () => {
  const { headers } = await site.inject('/assets/main-AbCd.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('a file without a hash is revalidated every time', async () => {
  const { headers } = await site.inject('/favicon.svg')
  expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
})

test('other sites can show the pictures of shared addresses, and nothing else', async () => {
  const policyOf = async (path: string) =>
    (await fetch(address + path)).headers.get('cross-origin-resource-policy')
  for (const picture of ['/share.png', '/favicon.svg'])
    expect(await policyOf(picture), picture).toBe('cross-origin')
  for (const url of ['/assets/main-AbCd.js', '/api/v1/nothing'])
    expect(await policyOf(url), url).toBe('same-origin')
})

test('files and answers go without document headers, and keep those that guard scripts', async () => {
  const named = async (path: string) => [...(await fetch(address + path)).headers.keys()]
  for (const url of ['/assets/main-AbCd.js', '/api/v1/nothing']) {
    const sent = await named(url)
    expect(sent, url).toContain('content-security-policy')
    expect(sent, url).toContain('x-content-type-options')
    expect(sent, url).not.toContain('x-frame-options')
    expect(sent, url).not.toContain('permissions-policy')
  }
  for (const url of ['/share.png', '/auth/v1/verify', '/api/docs'])
    expect(await named(url), url).toContain('x-frame-options')
})

test('a compressed file is sent to browsers that accept it', async () => {
  const url = '/assets/main-AbCd.js'
  const brotli = await site.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotli.headers.vary).toMatch(/accept-encoding/i)
  const plain = await site.inject({ url })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe('say("hello")')
})

test('a page from before an update doesn’t hear that the rating it removes is already gone', async () => {
  const url = '/api/v1/companies/7f9c24e8-3b12-4fef-91d0-6a2b1f0c4d5e/held-rating/remove'
  const answer = await site.inject({ method: 'POST', url, payload: {} })
  // The page keeps what it wanted to send, and says why.
  expect(answer.statusCode).toBe(410)
  expect(answer.json().error.message).toBe('This page is out of date. Reload it.')
})
