import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { type CachedAnswer, changedBy, createAnswerCache } from './answer-cache.server.ts'
import { createHttp } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'

const ACME = '00000000-0000-4000-8000-0000000000ac'
const OTHER = '00000000-0000-4000-8000-0000000000ff'

const here = () => false

/** Requests `url`, and counts how often the answer was computed. */
function asking(cache = createAnswerCache()) {
  const made = vi.fn((url: string) => url)
  const ask = async (url: string, kind: CachedAnswer['kind'] = 'entry', text = '') => {
    const answer = await cache.once(url, { route: '/:id', kind, hasLeft: here }, async () =>
      JSON.stringify([made(url), text]),
    )
    return answer.json.toString()
  }
  return { cache, made, ask }
}

test('a post drops lists and the entries that name what it names, and anything else everything', async () => {
  const { cache, made, ask } = asking()
  const everything = async () => {
    made.mockClear()
    await ask(`/threads/${ACME}`)
    await ask('/by-slug/acme', 'entry', ACME.toUpperCase())
    await ask(`/threads/${OTHER}`)
    await ask('/threads', 'list')
    await ask('/categories', 'catalog')
    return made.mock.calls.flat()
  }
  const all = await everything()
  expect(all).toHaveLength(5)
  expect(await everything()).toEqual([])
  const vote = changedBy('posts', () => `/threads/${ACME}/vote {"score":2}`) as string
  cache.drop(vote)
  expect(await everything()).toEqual([`/threads/${ACME}`, '/by-slug/acme', '/threads'])
  cache.forget(`/thread/${OTHER}`)
  expect(await everything()).toEqual([`/threads/${OTHER}`, '/threads'])
  expect(changedBy('nothing', () => `/threads/${ACME}/saved`)).toBeUndefined()
  cache.drop(changedBy(undefined, () => `/companies/${ACME}/edits`) as string)
  expect(await everything()).toEqual(all)
  cache.forget('/acme')
  expect(await everything()).toEqual(all)
})

test('many who ask at once get one answer, unless something changed after the first', async () => {
  const { cache, made, ask } = asking()
  await Promise.all([ask('/threads'), ask('/threads'), ask('/threads')])
  expect(made).toHaveBeenCalledTimes(1)
  const early = ask('/jobs')
  cache.drop(ACME)
  await Promise.all([early, ask('/jobs'), ask('/jobs')])
  expect(made).toHaveBeenCalledTimes(3)
  await ask('/jobs')
  expect(made).toHaveBeenCalledTimes(3)
})

test('work goes on as long as someone waits for it', async () => {
  const cache = createAnswerCache()
  const has = { firstLeft: false, secondLeft: false }
  let noOneWaits = here
  let finish = (_: string) => {}
  const wait = (hasLeft: () => boolean) =>
    cache.once('/threads?search=pay', { route: '/threads', kind: 'list', hasLeft }, (everyone) => {
      noOneWaits = everyone
      return new Promise((resolve) => {
        finish = resolve
      })
    })
  const answers = [wait(() => has.firstLeft), wait(() => has.secondLeft)]
  has.firstLeft = true
  expect(noOneWaits()).toBe(false)
  has.secondLeft = true
  expect(noOneWaits()).toBe(true)
  finish('[]')
  await Promise.all(answers)
})

test('a failed answer is made again', async () => {
  const cache = createAnswerCache()
  const about = { route: '/threads', kind: 'list', hasLeft: here } as const
  const fail = () => Promise.reject(new Error('away'))
  await expect(cache.once('/threads', about, fail)).rejects.toThrow('away')
  expect((await cache.once('/threads', about, async () => '[]')).json.toString()).toBe('[]')
})

test('an answer lasts a minute, and longer only while no one can write', async () => {
  let now = 0
  const { cache, made, ask } = asking(createAnswerCache({ now: () => now }))
  await ask('/jobs')
  now = 60_001
  cache.setChannelState('refused')
  await ask('/jobs')
  expect(made).toHaveBeenCalledTimes(1)
  cache.setChannelState('ok')
  await ask('/jobs')
  cache.setChannelState('deaf')
  await Promise.all([ask('/jobs'), ask('/jobs')])
  expect(made).toHaveBeenCalledTimes(4)
})

test('made-up addresses don’t fill the memory', async () => {
  const { made, ask } = asking()
  const large = 'x'.repeat(1024 * 1024)
  for (let n = 0; n < 40; n++) await ask(`/companies?search=${n}`, 'list', large)
  await ask('/companies?search=39', 'list', large)
  expect(made).toHaveBeenCalledTimes(40)
  await ask('/companies?search=0', 'list', large)
  expect(made).toHaveBeenCalledTimes(41)
})

test('a cached answer reaches those who don’t say who they are, with a tag to ask again', async () => {
  const { cache, ask } = asking()
  const pages = {
    keyOf: (url: string) => url,
    cache: createPageCache(async () => ({ status: 404, html: '' }), { headers: [] }),
  }
  const site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    pages,
    answers: cache,
  })
  await site.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => site.close())
  const { port } = site.server.address() as AddressInfo
  const get = (headers = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/api/v1/threads`, { headers, method })
  const json = await ask('/api/v1/threads', 'list')
  const first = await get()
  expect(await first.text()).toBe(json)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await (await get({}, 'HEAD')).text()).toBe('')
  const again = await get({ 'if-none-match': first.headers.get('etag') })
  expect([again.status, await again.text()]).toEqual([304, ''])
  // Only the route can tell whether the token is valid.
  expect((await get({ authorization: 'Bearer made-up' })).status).toBe(404)
  expect((await get({ 'x-anonymous-id': ACME })).status).toBe(404)
  expect((await get({}, 'POST')).status).toBe(404)
})
