import { beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { deletePostTitled } from './deletion.data.ts'

type Api = Parameters<typeof deletePostTitled>[0]

/** A server that answers this, or refuses with this status. */
const serverThat = (answer: object | number) =>
  vi.fn(async () => {
    if (typeof answer === 'number')
      throw Object.assign(new Error('What the server says'), { status: answer })
    return answer
  }) as unknown as Api
const said = () =>
  currentToasts()
    .filter(({ open }) => open)
    .map(({ title, description }) => [title, description])

beforeEach(() => dismissToast())

test('Spec §8: the page says that it’s finding the post until it has an answer', async () => {
  const deletion = deletePostTitled(serverThat({ title: 'Test post' }), 'Test post')
  expect(said()).toEqual([['Finding post...', undefined]])
  await deletion
  expect(said().flat()).not.toContain('Finding post...')
})

test('Spec §8: one’s own thread with the title goes', async () => {
  const api = serverThat({ title: 'Test Post', isOneOfSeveral: false })
  await deletePostTitled(api, 'test post')
  expect(api).toHaveBeenCalledWith('POST /api/v1/my/threads/deletion', {
    body: { title: 'test post' },
  })
  expect(said()).toEqual([['Thread deleted successfully', '"Test Post" has been deleted']])
})

test('Spec §5: only one of several threads goes, and a toast says so', async () => {
  await deletePostTitled(serverThat({ title: 'Test post', isOneOfSeveral: true }), 'Test post')
  expect(said()).toEqual(
    expect.arrayContaining([
      ['Multiple matches found', 'The newest one was deleted.'],
      ['Thread deleted successfully', '"Test post" has been deleted'],
    ]),
  )
})

test.each([
  [404, 'Post not found', 'No post found with title "Test post"'],
  [403, 'Not authorized', 'What the server says'],
  [401, 'Not authorized', 'What the server says'],
  [500, 'Error', 'Failed to delete the post. Please try again.'],
  [0, 'Error', 'Failed to delete post. Please try again.'],
])('Spec §8: a %i has its own toast', async (status, title, description) => {
  await deletePostTitled(serverThat(status), 'Test post')
  expect(said()).toEqual([[title, description]])
})
