import { beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '../../ui/toast.ts'
import { deletePostTitled } from './deletion.data.ts'

/** A server with these own threads, two to a page; remembers what was deleted. */
function serverWith(titles: string[], refusal?: { status: number }) {
  const deleted: string[] = []
  const api = vi.fn(async (endpoint: string, input: Record<string, Record<string, string>>) => {
    if (endpoint.startsWith('DELETE')) {
      if (refusal) throw Object.assign(new Error('no'), refusal)
      deleted.push(input.params?.id ?? '')
      return { title: titles[Number(input.params?.id)] }
    }
    const from = Number(input.query?.after ?? 0)
    const threads = titles.slice(from, from + 2).map((title, i) => ({ id: `${from + i}`, title }))
    return { threads, next: from + 2 < titles.length ? `${from + 2}` : null }
  })
  return { api: api as unknown as Parameters<typeof deletePostTitled>[0], deleted }
}
const said = () => currentToasts().map(({ title, description }) => [title, description])

beforeEach(() => dismissToast())

test('Spec §8: the own thread with the title goes, on whichever page it stands', async () => {
  const { api, deleted } = serverWith(['One', 'Two', 'Three', 'Test Post'])
  await deletePostTitled(api, 'test post')
  expect(deleted).toEqual(['3'])
  expect(said()).toEqual([['Thread deleted successfully', '"Test Post" has been deleted']])
})

test('Spec §5: of several only the first goes, and the person is told', async () => {
  const { api, deleted } = serverWith(['Test post', 'Other', 'TEST POST'])
  await deletePostTitled(api, 'Test post')
  expect(deleted).toEqual(['0'])
  expect(said()[0]?.[0]).toBe('Multiple matches found')
})

test('Spec §8: without a match nothing is deleted', async () => {
  const { api, deleted } = serverWith(['Other'])
  await deletePostTitled(api, 'Test post')
  expect(deleted).toEqual([])
  expect(said()).toEqual([['Post not found', 'No post found with title "Test post"']])
})

test.each([
  [403, 'Not authorized', 'You can only delete your own posts'],
  [500, 'Error', 'Failed to delete the post. Please try again.'],
  [404, 'Post not found', 'No post found with title "Test post"'],
])('Spec §8: a %i is said in its own words', async (status, title, description) => {
  const { api } = serverWith(['Test post'], { status })
  await deletePostTitled(api, 'Test post')
  expect(said()).toEqual([[title, description]])
})
