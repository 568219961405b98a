import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { NIL_UUID } from '#app/platform/uuid.ts'
import {
  jobIdOf,
  jobQuery,
  jobsQuery,
  otherJobsQuery,
  recentJobsQuery,
  trackJob,
} from './job.data.ts'

const id = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'
const queryClient = () => new QueryClient()

afterEach(() => vi.unstubAllGlobals())

test('a list asks with its filters, and continues after its last page', async () => {
  const api = vi.fn().mockResolvedValue({ jobs: [], next: 'b' })
  const query = jobsQuery(api, { remote: 'remote', salary: 60_000, after: 'a' })
  const found = await queryClient().fetchInfiniteQuery(query)
  expect(api.mock.calls[0]?.[1]).toMatchObject({
    query: { remote: 'remote', salary: 60_000, after: 'a' },
  })
  expect(query.getNextPageParam?.(found.pages[0] as never, [], 'a', [])).toBe('b')
  expect(query.getNextPageParam?.({ jobs: [], next: null }, [], 'a', [])).toBeUndefined()
})

test('Spec §9: there are three recent jobs', async () => {
  const api = vi.fn().mockResolvedValue({ jobs: [], next: null })
  await queryClient().fetchQuery(recentJobsQuery(api))
  expect(api).toHaveBeenCalledWith('GET /api/v1/jobs', { query: { limit: 3 } })
})

test('a job’s page asks for five jobs, because it shows up to four others', async () => {
  const api = vi.fn().mockResolvedValue({ jobs: [], next: null })
  await queryClient().fetchQuery(otherJobsQuery(api, id))
  expect(api).toHaveBeenCalledWith('GET /api/v1/jobs', { query: { company: id, limit: 5 } })
})

test('a job is found by the id in its address, whatever follows', async () => {
  expect(jobIdOf(`${id.toUpperCase()}-warehouse-lead`)).toBe(id)
  expect(jobIdOf('nonsense')).toBe(NIL_UUID)
  expect(jobIdOf(undefined)).toBe(NIL_UUID)
  const api = vi.fn().mockResolvedValue({})
  await queryClient().fetchQuery(jobQuery(api, id))
  expect(api).toHaveBeenCalledWith('GET /api/v1/jobs/{id}', { params: { id } })
})

test('a look at a job sends no anonymous id, and no one sees it fail', async () => {
  const fetch = vi.fn().mockResolvedValue(new Response())
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'anonymousUserId' ? 'somebody' : null),
  })
  await trackJob(id, 'apply')
  const [url, options] = fetch.mock.calls[0] ?? []
  expect(url).toBe(`/api/v1/jobs/${id}/seen`)
  expect(options).toMatchObject({ method: 'POST', keepalive: true, body: '{"what":"apply"}' })
  expect(options.headers).toEqual({ 'content-type': 'application/json' })

  fetch.mockRejectedValue(new TypeError('offline'))
  await expect(trackJob(id, 'view')).resolves.toBeUndefined()
})
