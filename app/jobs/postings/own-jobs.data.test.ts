import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { jobQuery, jobsQuery } from '../job.data.ts'
import { deleteJob, fillJob, myJobsQuery, openJob } from './own-jobs.data.ts'

const id = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'
const queryClient = () => new QueryClient()

test('every list of jobs reloads once a job has changed', async () => {
  const api = vi.fn().mockResolvedValue({ companies: [], jobs: [], next: null })
  const client = queryClient()
  await client.fetchInfiniteQuery(jobsQuery(api, {}))
  await client.fetchQuery(myJobsQuery(api))
  const isStale = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.isInvalidated)
  expect(isStale()).toEqual([false, false])
  await fillJob({ api, queryClient: client }, id)
  expect(isStale()).toEqual([true, true])
  await openJob({ api, queryClient: client }, id)
  expect(api.mock.calls.slice(-2)).toEqual([
    ['POST /api/v1/jobs/{id}/status', { params: { id }, body: { to: 'filled' } }],
    ['POST /api/v1/jobs/{id}/status', { params: { id }, body: { to: 'open' } }],
  ])
})

test('a deleted job is forgotten here too, and stays if the deletion failed', async () => {
  const client = queryClient()
  const { queryKey } = jobQuery(vi.fn(), id)
  client.setQueryData(queryKey, { id } as never)
  const refused = vi.fn().mockRejectedValue(new ApiError(403, '', ''))
  await expect(deleteJob({ api: refused, queryClient: client }, id)).rejects.toThrow()
  expect(client.getQueryData(queryKey)).toEqual({ id })
  await deleteJob({ api: vi.fn().mockResolvedValue({}), queryClient: client }, id)
  expect(client.getQueryData(queryKey)).toBeUndefined()
})
