/** The page that deletes a post by its title, and leads back. Spec §2.16, §9. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { navigate } from '#app/kit/ui/address.ts'
import { rendered } from '#tests/support/rendered.tsx'
import DeletePostScreen from './delete-post.screen.tsx'
import { deletePostTitled } from './posts/deletion.data.ts'

vi.mock('./posts/deletion.data.ts', () => ({ deletePostTitled: vi.fn(async () => {}) }))
vi.mock('#app/kit/ui/address.ts', async (original) => ({
  ...(await original<object>()),
  navigate: vi.fn(),
}))
/** What the page sees when the deletion is done. */
const here = vi.hoisted(() => ({ isDone: false }))
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return {
    ...react,
    // The server has no effects: here they come after the drawing, as in a browser.
    useEffect: (effect: () => void) => queueMicrotask(effect),
    useState: (first: unknown) => react.useState(first === false ? here.isDone : first),
  }
})

beforeEach(() => {
  vi.useFakeTimers()
  here.isDone = false
  vi.mocked(navigate).mockReset()
  vi.mocked(deletePostTitled).mockClear()
})
afterEach(() => vi.useRealTimers())

/** Where it has led after so many milliseconds. */
async function after(ms: number, search: string) {
  rendered(<DeletePostScreen />, { path: '/delete-post', search })
  await vi.advanceTimersByTimeAsync(ms)
  return vi.mocked(navigate).mock.calls.map(([href]) => href)
}

test('Spec §2.16: the page says that it deletes the post, then that it’s done, with a way back', () => {
  const words = () => {
    const html = rendered(<DeletePostScreen />, { path: '/delete-post', search: 'title=Test+post' })
    expect(html).toMatch(/<h1[^>]*>Deleting Post<\/h1>/)
    return {
      status: html.match(/role="status"[^>]*>(.*?)<\/p>/s)?.[1]?.replace(/<[^>]+>/g, ''),
      hasButton: html.includes('Return to previous page</button>'),
    }
  }
  expect(words()).toEqual({ status: 'Deleting post...', hasButton: false })
  here.isDone = true
  expect(words()).toEqual({
    status: 'Post deletion complete or not found.',
    hasButton: true,
  })
})

test('Spec §2.16, §9: the test title deletes the post, and leads back 1.5 s later', async () => {
  expect(await after(1_499, 'title=test+POST&returnTo=/companies')).toEqual([])
  expect(vi.mocked(deletePostTitled).mock.calls.map(([, title]) => title)).toEqual(['test POST'])
  await vi.advanceTimersByTimeAsync(1)
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/companies', { replace: true })
})

test.each([
  ['', '/discussions'],
  ['returnTo=/companies', '/companies'],
  ['title=Something&returnTo=/companies', '/companies'],
  ['title=Something', '/discussions'],
])(
  'Spec §2.16: the page leads back at once and deletes nothing without its test title: %s',
  async (search, back) => {
    expect(await after(0, search)).toEqual([back])
    expect(deletePostTitled).not.toHaveBeenCalled()
  },
)
