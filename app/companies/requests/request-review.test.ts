import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import type { CompanyRequest } from './request.contract.ts'
import { nameSeeds } from './request-queries.server.ts'
import {
  DELETE_REFUSALS,
  DELETE_TOASTS,
  DELETION_TEXTS,
  deletionToast,
  LIST_REFUSALS,
  REVIEW_TEXTS,
  websiteHref,
} from './request-review.ts'
import { deleteFromDialog, deleteRequest, requestsQuery } from './review.data.ts'

test('Spec §2.11: the dialog has its texts', () => {
  expect(REVIEW_TEXTS.button).toBe('Company Requests')
  expect(REVIEW_TEXTS.title).toBe('Company Requests Management')
  expect(REVIEW_TEXTS.total(3)).toBe('Total requests: 3')
  expect(REVIEW_TEXTS.refresh).toBe('Refresh')
  expect(REVIEW_TEXTS.refreshing).toBe('Refreshing requests...')
  expect(REVIEW_TEXTS.tryAgain).toBe('Try Again')
  expect(REVIEW_TEXTS.loading).toBe('Loading requests...')
  expect(REVIEW_TEXTS.nothing).toBe('No company requests found')
  expect(REVIEW_TEXTS.failed('x')).toBe('Error loading requests: x')
  expect(REVIEW_TEXTS.requestedBy('v@kettle.example')).toBe('Requested by: v@kettle.example')
  expect(REVIEW_TEXTS.confirmation('Acme')).toBe(
    'Are you sure you want to permanently delete the request for "Acme"?',
  )
})

test('Spec §2.11: a website without a scheme leads to https://, and never into a script', () => {
  expect(websiteHref('acme.com')).toBe('https://acme.com')
  expect(websiteHref('HTTP://acme.com')).toBe('HTTP://acme.com')
  expect(websiteHref('javascript:alert(1)')).toBe('https://javascript:alert(1)')
})

test('Spec §8: each reason not to show the list has its text', () => {
  expect(LIST_REFUSALS.signedOut).toBe('Authentication required')
  expect(LIST_REFUSALS.notOwner).toBe(
    'Access denied: Only specific admin can view company requests',
  )
  expect(LIST_REFUSALS.noAdminRow).toBe('Admin verification failed')
  expect(LIST_REFUSALS.failed('x')).toBe('Failed to fetch company requests: x')
})

test('Spec §8: a deletion has its toasts', () => {
  expect(DELETE_TOASTS.deleting('Acme')).toBe('Deleting "Acme"...')
  expect(
    deletionToast({ outcome: 'deleted', sentence: DELETION_TEXTS.deleted('Acme') }, 'Acme'),
  ).toEqual({ title: '"Acme" deleted successfully!' })
  expect(
    deletionToast({ outcome: 'unexpected', sentence: DELETION_TEXTS.unexpected('x') }, 'Acme'),
  ).toEqual({
    title: 'An unexpected error occurred',
    description: 'Unexpected error: x',
    variant: 'destructive',
  })
  expect(DELETION_TEXTS.unexpected(undefined)).toBe('Unexpected error: Unknown error occurred')
  expect(DELETION_TEXTS.deleted('')).toBe('Successfully deleted "request"')
})

const request = { id: 'r1', companyName: 'Acme' } as CompanyRequest

/** A client that answers the deletion and then the list, or throws what it is given. */
async function deletion(answers: { deletion: unknown; list?: unknown }) {
  const queryClient = new QueryClient()
  const asked: string[] = []
  const api = async (endpoint: string) => {
    asked.push(endpoint)
    const answer = endpoint.startsWith('DELETE') ? answers.deletion : answers.list
    if (answer instanceof Error) throw answer
    return answer
  }
  const query = requestsQuery(api as never)
  queryClient.setQueryData(query.queryKey, {
    pages: [{ total: 1, requests: [request], next: null }],
    pageParams: [undefined],
  })
  const outcome = await deleteRequest({ api: api as never, queryClient }, request)
  return { ...outcome, asked, list: queryClient.getQueryData(query.queryKey)?.pages[0] }
}

describe('Spec §7.2, §8: a deletion', () => {
  const empty = { total: 0, requests: [], next: null }

  test('a deletion reads the list again and shows it', async () => {
    const end = await deletion({ deletion: { count: 1 }, list: empty })
    expect(end).toMatchObject({ outcome: 'deleted', sentence: 'Successfully deleted "Acme"' })
    expect(end.asked).toEqual([
      'DELETE /api/v1/company-requests/{id}',
      'GET /api/v1/company-requests',
    ])
    expect(end.list).toEqual(empty)
  })

  test('a deletion of what’s already gone takes it out of the list', async () => {
    const end = await deletion({ deletion: { count: 0 } })
    expect(end).toMatchObject({ outcome: 'already', sentence: 'Request was already deleted' })
    expect(end.list).toEqual(empty)
  })

  test.each([
    [401, DELETE_REFUSALS.signedOut, 'Authentication error. Please log in again.'],
    [403, DELETE_REFUSALS.notOwner, 'Access denied. Only authorized admin can delete requests.'],
    [403, DELETE_REFUSALS.noAdminRow, "You don't have permission to delete requests"],
    [500, 'No', 'Failed to delete request: No'],
    [0, 'No connection', 'Failed to delete request: No connection'],
  ])(
    'a deletion that’s refused with %s says so, and the request stays',
    async (status, said, sentence) => {
      const end = await deletion({ deletion: new ApiError(status, 'x', said) })
      expect(end).toMatchObject({ outcome: 'failed', sentence })
      expect(end.list?.requests).toEqual([request])
    },
  )

  test('a deletion says so if the list can’t be loaded after it', async () => {
    const end = await deletion({
      deletion: { count: 1 },
      list: new ApiError(401, 'x', 'Authentication required'),
    })
    expect(end.sentence).toBe('Error reloading requests after deletion: Authentication required')
  })

  test('a deletion says so if the request is still there after it', async () => {
    const end = await deletion({
      deletion: { count: 1 },
      list: { total: 1, requests: [request], next: null },
    })
    expect(end).toMatchObject({
      outcome: 'failed',
      sentence:
        'Failed to remove company request: record still exists after deletion. This is a persistent database error.',
    })
  })
})

describe('Spec §8: a deletion from the dialog', () => {
  beforeEach(() => dismissToast())
  const said = () => currentToasts().filter(({ open }) => open)
  /** What is said while the server works, and what stands in its place after that. */
  async function told(list: object) {
    const api = async (endpoint: string) => (endpoint.startsWith('DELETE') ? { count: 1 } : list)
    const gone = deleteFromDialog({ api: api as never, queryClient: new QueryClient() }, request)
    const before = said()
    await gone
    return { before, after: said() }
  }

  test('a deletion’s toast stays until it’s done, and then shows the outcome', async () => {
    const { before, after } = await told({ total: 0, requests: [], next: null })
    expect(before).toMatchObject([{ title: 'Deleting "Acme"...', duration: 0 }])
    expect(after).toMatchObject([{ id: before[0]?.id, title: '"Acme" deleted successfully!' }])
  })

  test('a deletion with an unexpected answer is a destructive error', async () => {
    const { before, after } = await told({ total: 0, next: null })
    expect(after).toMatchObject([
      {
        id: before[0]?.id,
        title: 'An unexpected error occurred',
        description: expect.stringMatching(/^Unexpected error: /),
        variant: 'destructive',
      },
    ])
  })
})

test('Spec §8, §9: the list is always stale, doesn’t poll, and names its failure', async () => {
  const broken = async () => {
    throw new ApiError(500, 'failed', 'Something went wrong')
  }
  const query = requestsQuery(broken as never)
  expect(query).toMatchObject({
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  expect(query.refetchInterval).toBeUndefined()
  await expect(
    new QueryClient().fetchInfiniteQuery({ ...query, retry: false }),
  ).rejects.toMatchObject({
    status: 500,
    message: 'Failed to fetch company requests: Something went wrong',
  })
})

test('Spec §4, §9: the list loads when it’s opened and when the window is focused, and not in between', async () => {
  vi.useFakeTimers()
  const queryClient = new QueryClient()
  queryClient.mount()
  const asked = vi.fn(async () => ({ total: 0, requests: [], next: null }))
  const settled = () => vi.advanceTimersByTimeAsync(0)
  const open = async () => {
    const close = new InfiniteQueryObserver(queryClient, requestsQuery(asked as never)).subscribe(
      () => {},
    )
    await settled()
    return close
  }
  const close = await open()
  expect(asked).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toHaveBeenCalledTimes(1)
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await settled()
  expect(asked).toHaveBeenCalledTimes(2)
  close()
  const closeAgain = await open()
  expect(asked).toHaveBeenCalledTimes(3)
  closeAgain()
  queryClient.unmount()
  focusManager.setFocused(undefined)
  vi.useRealTimers()
})

test('possible companies are found by the distinctive part of a name and by the website', () => {
  expect(nameSeeds('The Nestlé S.A.', 'https://www.nestle.com/x')).toEqual({
    name: 'the nestle s.a.',
    core: 'nestle',
    host: 'nestle.com',
    seeds: ['the nestle s.a.', 'nestle'],
  })
  expect(nameSeeds('Holding GmbH', null)).toMatchObject({ core: 'holding gmbh', host: null })
  expect(nameSeeds('!!!', null).seeds).toEqual(['!!!'])
})
