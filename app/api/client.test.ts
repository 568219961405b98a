import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createClient, fetchTransport } from './client.ts'
import type { Contract, SharedEndpoints } from './contract.ts'

/** A server that knows one token; remembers what each request proved itself with. */
function serverThatKnows(token: string) {
  const seen: string[] = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const given = headers.authorization
    seen.push([given, headers['x-anonymous-id']].filter(Boolean).join(' and ') || 'nothing')
    const status = given === undefined || given === `Bearer ${token}` ? 200 : 401
    return new Response('{}', { status })
  })
  return seen
}

const reading = { method: 'GET', url: '/api/v1/me' }
const writing = { method: 'POST', url: '/api/v1/threads', body: {} }
const authenticator = (token: string | undefined, fresh?: string, visitorId?: string) => ({
  token: async () => token,
  renew: vi.fn(async () => fresh),
  reauthenticate: vi.fn(async () => false),
  waitUntilLinkable: async () => {},
  visitorId: vi.fn(async (isWriting: boolean) => visitorId ?? (isWriting ? 'anon-new' : null)),
})

test('a visitor who has never posted reads without an anonymous id', async () => {
  const seen = serverThatKnows('good')
  expect((await fetchTransport(authenticator(undefined))(reading)).status).toBe(200)
  expect(seen).toEqual(['nothing'])
})

test('a visitor who writes gets an anonymous id first', async () => {
  const seen = serverThatKnows('good')
  expect((await fetchTransport(authenticator(undefined))(writing)).status).toBe(200)
  expect(seen).toEqual(['anon-new'])
})

test('a visitor who wrote before is recognized', async () => {
  const seen = serverThatKnows('good')
  await fetchTransport(authenticator(undefined, undefined, 'anon-before'))(reading)
  expect(seen).toEqual(['anon-before'])
})

test('a member’s request never has the browser’s anonymous id', async () => {
  const seen = serverThatKnows('good')
  await fetchTransport(authenticator('good', undefined, 'anon-before'))(writing)
  await fetchTransport(authenticator('old', 'good', 'anon-before'))(writing)
  expect(seen).toEqual(['Bearer good', 'Bearer old', 'Bearer good'])
})

test('a refused token is renewed once, and the request repeated', async () => {
  const seen = serverThatKnows('fresh')
  const given = authenticator('old', 'fresh')
  expect((await fetchTransport(given)(writing)).status).toBe(200)
  expect(seen).toEqual(['Bearer old', 'Bearer fresh'])
  expect(given.renew).toHaveBeenCalledWith('old')
})

test('a renewed token that’s refused isn’t renewed again', async () => {
  const seen = serverThatKnows('good')
  const given = authenticator('old', 'fresh')
  expect((await fetchTransport(given)(reading)).status).toBe(401)
  expect(seen).toEqual(['Bearer old', 'Bearer fresh'])
  expect(given.renew).toHaveBeenCalledOnce()
})

test('reading continues as a visitor once the session has ended', async () => {
  const seen = serverThatKnows('good')
  expect((await fetchTransport(authenticator('old'))(reading)).status).toBe(200)
  expect(seen).toEqual(['Bearer old', 'nothing'])
})

test('nothing is written as a visitor without asking once the session has ended', async () => {
  const seen = serverThatKnows('good')
  expect((await fetchTransport(authenticator('old'))(writing)).status).toBe(401)
  expect(seen).toEqual(['Bearer old'])
})

test('a request that needs dana’s password is repeated once she enters it, and refused if she doesn’t', async () => {
  const needed = { error: { code: 'reauthentication-needed', message: 'Confirm first' } }
  let isProved = false
  vi.stubGlobal('fetch', async () =>
    isProved ? new Response('{}') : new Response(JSON.stringify(needed), { status: 403 }),
  )
  const dana = authenticator('good')
  expect(await fetchTransport(dana)(writing)).toEqual({ status: 403, json: needed })
  dana.reauthenticate.mockImplementation(async () => {
    isProved = true
    return true
  })
  expect((await fetchTransport(dana)(writing)).status).toBe(200)
  expect(dana.reauthenticate).toHaveBeenCalledTimes(2)
})

test('requests with the same answer for everyone carry no identity', async () => {
  const seen = serverThatKnows('good')
  const contract = {
    'GET /api/v1/companies/{id}': {
      summary: 'A company',
      params: z.object({ id: z.string() }),
      ok: z.object({}),
      access: 'anyone',
      isShared: 'entry',
    },
    'GET /api/v1/me': { summary: 'You', ok: z.object({}), access: 'anyone' },
  } satisfies Contract
  const shared: SharedEndpoints<typeof contract> = { 'GET /api/v1/companies/{id}': true }
  const dana = fetchTransport(authenticator('good'))
  const api = createClient<typeof contract>(dana, shared)
  await api('GET /api/v1/companies/{id}', { params: { id: 'acme' } })
  await api('GET /api/v1/me')
  expect(seen).toEqual(['nothing', 'Bearer good'])
})
