/** What a browser tells of a click. Spec §6, §7.2, §8. */
import { beforeEach, expect, test, vi } from 'vitest'
import { beQuietAbout, endQuiet } from '#app/kit/session/quiet-companies.data.ts'
import { trackClick, trackView } from './tracking.data.ts'

const person: { token?: string } = {}
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  authenticator: { token: async () => person.token },
}))

let status = 204
const sent = vi.fn()
beforeEach(() => {
  status = 204
  person.token = undefined
  sent.mockReset()
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    sent(url, JSON.parse(String(body)), (headers as Record<string, string>).authorization)
    return new Response(null, { status })
  })
})
const logged = () => vi.spyOn(console, 'debug').mockImplementation(() => {})

test('Spec §6, §8: a click without a user id is logged and skipped', async () => {
  const log = logged()
  await trackClick('c1')
  expect(sent).not.toHaveBeenCalled()
  expect(log).toHaveBeenCalledOnce()
})

test('Spec §8: a click without a company is logged and skipped', async () => {
  person.token = 'dana'
  const log = logged()
  await trackClick('')
  expect(sent).not.toHaveBeenCalled()
  expect(log).toHaveBeenCalledOnce()
})

test('Spec §7.2: a member’s click names only the company, and the server works out who it was', async () => {
  person.token = 'dana'
  await trackClick('c1')
  expect(sent).toHaveBeenCalledWith('/api/v1/interactions', { companyId: 'c1' }, 'Bearer dana')
})

test('Spec §8: a 404 is logged, and no one sees it', async () => {
  person.token = 'dana'
  status = 404
  const log = logged()
  await trackClick('c1')
  expect(log).toHaveBeenCalledOnce()
})

test('a lost connection disturbs no one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(trackView('c1')).resolves.toBeUndefined()
})

test('a member’s view doesn’t say who looks, and an administrator’s does, so it isn’t counted', async () => {
  person.token = 'ada'
  const asked: RequestInit[] = []
  vi.stubGlobal('fetch', async (_: string, how: RequestInit) => {
    asked.push(how)
    return new Response()
  })
  await trackView('c1')
  const kept = new Map([['isAdmin', 'true']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  await trackView('c1')
  // Dana rates the company.
  beQuietAbout('c1', null)
  await trackView('c1')
  endQuiet('c1', 0)
  expect(asked.map(({ credentials }) => credentials)).toEqual(['omit', 'same-origin', 'omit'])
  expect(asked.map(({ headers }) => new Headers(headers).get('authorization'))).toEqual([
    ...[null, 'Bearer ada', null],
  ])
})
