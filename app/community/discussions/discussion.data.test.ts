import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { NIL_UUID } from '#app/platform/uuid.ts'
import type { MyThread, Thread } from './discussion.contract.ts'
import {
  commentsAddress,
  commentsHref,
  type DiscussionApi,
  feedHref,
  myThreadQuery,
  threadIdOf,
  threadListAddress,
  threadListHref,
  threadQuery,
} from './discussion.data.ts'
import { muteThread, voteThread } from './discussion-actions.data.ts'

const ID = '5f0c1de2-9a31-4c5e-8f00-0123456789ab'

test('a list’s address is read as far as it makes sense', () => {
  expect(threadListAddress({ sort: 'sideways', period: 'day', company: 'acme' })).toEqual({})
  expect(threadListAddress({ sort: 'hot', search: '  ' })).toEqual({})
  expect(threadListAddress({ verified: 'true' })).toEqual({ verified: 'yes' })
  expect(threadListAddress({ sort: 'top', period: 'day', company: ID, topic: 'pay' })).toEqual({
    sort: 'top',
    period: 'day',
    company: ID,
    topic: 'pay',
  })
})

test('searches start with the best match unless you choose otherwise, and lists don’t offer it', () => {
  expect(threadListAddress({ sort: 'relevance', search: '  tea ' })).toEqual({ search: 'tea' })
  expect(threadListAddress({ sort: 'hot', search: 'tea' })).toEqual({ search: 'tea', sort: 'hot' })
  expect(threadListAddress({ sort: 'relevance' })).toEqual({})
  expect(threadListHref({ sort: 'relevance', search: 'tea' })).toBe('/discussions?search=tea')
  expect(threadListHref({ sort: 'hot', search: 'tea' })).toBe('/discussions?sort=hot&search=tea')
  expect(threadListHref({ sort: 'relevance' })).toBe('/discussions')
})

test('a list’s address has only what differs from the default, and is read back as written', () => {
  expect(threadListHref({ sort: 'hot' })).toBe('/discussions')
  expect(threadListHref({ sort: 'top', period: 'week' })).toBe('/discussions?sort=top')
  const address = {
    sort: 'top',
    period: 'all',
    company: ID,
    topic: 'pay',
    search: 'a & b',
  } as const
  const query = new URL(threadListHref(address), 'http://x').searchParams
  expect(threadListAddress(Object.fromEntries(query))).toMatchObject(address)
})

test('a thread’s list is its company’s, or else its topic’s', () => {
  expect(feedHref({})).toBe('/feeds/discussions.atom')
  expect(feedHref({ topic: 'pay & perks' })).toBe('/feeds/topic/pay%20%26%20perks.atom')
  expect(feedHref({ company: ID, topic: 'pay' })).toBe(`/feeds/company/${ID}.atom`)
})

test('comments have an address of their own', () => {
  expect(commentsAddress({ sort: 'worst', below: 'x' })).toEqual({})
  expect(commentsHref('/thread/1', { sort: 'best' })).toBe('/thread/1')
  expect(commentsHref('/thread/1', { sort: 'new', below: ID })).toBe(
    `/thread/1?sort=new&below=${ID}`,
  )
})

test('a thread’s address works with its id and any text after it', () => {
  expect(threadIdOf(`${ID.toUpperCase()}-is-it-true`)).toBe(ID)
  expect(threadIdOf('is-it-true')).toBe(NIL_UUID)
})

function queriesOf(api: unknown, own: Partial<MyThread> = {}) {
  const queryClient = new QueryClient()
  const queries = { api: api as DiscussionApi, queryClient, threadId: ID, sessionKey: 'dana' }
  const thread = threadQuery(queries.api, ID).queryKey
  const mine = myThreadQuery(queries.api, ID, 'dana').queryKey
  queryClient.setQueryData(thread, { score: 4 } as Thread)
  queryClient.setQueryData(mine, { vote: 0, ...own } as MyThread)
  const seen = () => [queryClient.getQueryData(thread)?.score, queryClient.getQueryData(mine)?.vote]
  return { queries, seen }
}

test('a vote shows at once, and then as the server counted it', async () => {
  const { queries, seen } = queriesOf(async () => ({ score: 9, vote: 1 }))
  const voting = voteThread(queries, { score: 4, vote: 0 }, 1)
  expect(seen()).toEqual([5, 1])
  await voting
  expect(seen()).toEqual([9, 1])
})

test('a visitor’s vote shows during the spam check, and goes along with its solution', async () => {
  let solve = (_: string) => {}
  const solveSpamCheck = vi.fn(
    () =>
      new Promise<string>((resolve) => {
        solve = resolve
      }),
  )
  vi.doMock('#app/kit/spam-check/spam-check.data.ts', () => ({ solveSpamCheck }))
  const api = vi.fn(async () => ({ score: 5, vote: 1 }))
  const { queries, seen } = queriesOf(api, { needsSpamCheck: true })
  const voting = voteThread(queries, { score: 4, vote: 0 }, 1)
  expect(seen()).toEqual([5, 1])
  await expect.poll(() => solveSpamCheck.mock.calls).toEqual([[api, ID]])
  expect(api).not.toHaveBeenCalled()
  solve('solved')
  await voting
  const body = { vote: 1, spamCheck: 'solved' }
  expect(api).toHaveBeenCalledWith('PUT /api/v1/threads/{id}/vote', { params: { id: ID }, body })
  expect(seen()).toEqual([5, 1])
})

test('a refused vote changes back', async () => {
  const { queries, seen } = queriesOf(vi.fn().mockRejectedValue(new Error('refused')))
  await expect(voteThread(queries, { score: 4, vote: 0 }, 1)).rejects.toThrow('refused')
  expect(seen()).toEqual([4, 0])
})

test('two quick votes are sent in order, and the second answer counts', async () => {
  const sent: number[] = []
  const { queries, seen } = queriesOf(async (_: string, { body }: { body: { vote: number } }) => {
    sent.push(body.vote)
    return { score: 4 + body.vote, vote: body.vote }
  })
  const first = voteThread(queries, { score: 4, vote: 0 }, 1)
  const second = voteThread(queries, { score: 5, vote: 1 }, -1)
  await first
  expect(seen()).toEqual([3, -1])
  await second
  expect(sent).toEqual([1, -1])
  expect(seen()).toEqual([3, -1])
})

test('a thread that couldn’t be muted shows its old state', async () => {
  const { queries } = queriesOf(vi.fn().mockRejectedValue(new Error('refused')))
  const isMuted = () =>
    queries.queryClient.getQueryData(myThreadQuery(queries.api, ID, 'dana').queryKey)?.isMuted
  const muting = muteThread(queries, true)
  expect(isMuted()).toBe(true)
  await expect(muting).rejects.toThrow('refused')
  expect(isMuted()).toBe(false)
})
