import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import {
  deleteJobAlert,
  jobAlertsQuery,
  type SavedJobApi,
  type SavedJobQueries,
  savedJobIdsQuery,
  saveJob,
} from './saved-jobs.data.ts'

/** Queries whose server answers what `answer` does with each call. */
function queries(answer: (endpoint: string, input: unknown) => Promise<unknown>) {
  const calls: unknown[] = []
  const api = ((endpoint: string, input: unknown) => {
    calls.push(input)
    return answer(endpoint, input)
  }) as unknown as SavedJobApi
  const it: SavedJobQueries = { api, queryClient: new QueryClient(), sessionKey: 'dana' }
  it.queryClient.setQueryData(savedJobIdsQuery(api, 'dana').queryKey, { jobIds: ['old'] })
  const ids = () => it.queryClient.getQueryData(savedJobIdsQuery(api, 'dana').queryKey)?.jobIds
  return { it, calls, ids }
}

test('a saved job has its mark before the server answers, and keeps it', async () => {
  const shown: unknown[] = []
  const { it, calls, ids } = queries(async () => {
    shown.push(ids())
    return { isSaved: true }
  })
  await saveJob(it, 'new', true)
  expect(shown).toEqual([['old', 'new']])
  expect(calls).toEqual([{ params: { id: 'new' }, body: { isSaved: true } }])
  expect(ids()).toEqual(['old', 'new'])
})

test('a refused mark changes back', async () => {
  const { it, ids } = queries(async () => {
    throw new Error('no')
  })
  await expect(saveJob(it, 'new', true)).rejects.toThrow('no')
  expect(ids()).toEqual(['old'])
  await expect(saveJob(it, 'old', false)).rejects.toThrow('no')
  expect(ids()).toEqual(['old'])
})

test('the last of two quick clicks counts, even if the first fails', async () => {
  let asked = 0
  const { it, ids } = queries(async () => {
    if (asked++ === 0) throw new Error('no')
    return { isSaved: false }
  })
  const results = await Promise.allSettled([saveJob(it, 'new', true), saveJob(it, 'new', false)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(ids()).toEqual(['old'])
})

test('a deleted alert disappears at once, and reloads if that failed', async () => {
  const { it } = queries(async () => {
    throw new Error('no')
  })
  const { queryKey } = jobAlertsQuery(it.api, 'dana')
  const alert = { id: 'one', filters: { search: 'data' }, company: null }
  it.queryClient.setQueryData(queryKey, { alerts: [alert] })
  await expect(deleteJobAlert(it, alert)).rejects.toThrow('no')
  expect(it.queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
