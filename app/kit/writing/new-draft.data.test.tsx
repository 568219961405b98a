/** One form is one post, and one text. */
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { usePosting } from './new-draft.data.ts'

type Post = ReturnType<typeof usePosting>
const onKeyUsed = vi.fn()
const change = vi.fn(async () => undefined)

function Probe({ use }: { use: (post: Post) => void }) {
  use(usePosting(onKeyUsed))
  return null
}
/** Of a form that was just opened. */
function posting(): Post {
  const posts: Post[] = []
  renderToString(<Probe use={(post) => posts.push(post)} />)
  return posts[0] as Post
}

/** Answers like the server: one text per key. `lost`: the request arrives, but the response doesn't. */
function server() {
  const kept = new Map<string, string>()
  const state = { isLost: false }
  const send = async (input: { idempotencyKey: string; body: string; name?: string }) => {
    const text = JSON.stringify(input)
    const known = kept.get(input.idempotencyKey)
    if (known !== undefined && known !== text)
      throw new ApiError(409, 'idempotency-key-used', 'You already sent this form')
    kept.set(input.idempotencyKey, text)
    if (state.isLost) throw new ApiError(0, 'unknown', 'No answer')
    return { id: input.idempotencyKey }
  }
  return { send, kept, state }
}

beforeEach(() => {
  onKeyUsed.mockClear()
  change.mockClear()
})

test('a post that’s sent again after a lost answer is the same post', async () => {
  const [post, { send, state, kept }] = [posting(), server()]
  const said = { idempotencyKey: 'a', body: 'The lift is slow' }
  state.isLost = true
  await expect(post(said, send, change)).rejects.toMatchObject({ status: 0 })
  state.isLost = false
  expect(await post(said, send, change)).toEqual({ id: 'a' })
  expect(kept.size).toBe(1)
  expect(change).not.toHaveBeenCalled()
})

test('an edit before a post is sent again follows as an edit', async () => {
  const [post, { send, state }] = [posting(), server()]
  state.isLost = true
  await expect(post({ idempotencyKey: 'a', body: 'Slow' }, send, change)).rejects.toThrow()
  state.isLost = false
  expect(await post({ idempotencyKey: 'a', body: 'Very slow' }, send, change)).toEqual({ id: 'a' })
  expect(change).toHaveBeenCalledWith({ id: 'a' })
  expect(onKeyUsed).not.toHaveBeenCalled()
})

test('another name can’t follow as an edit, so dana reads so and the form gets another key', async () => {
  const [post, { send, state }] = [posting(), server()]
  state.isLost = true
  const said = { idempotencyKey: 'a', body: 'Slow', name: 'username' }
  await expect(post(said, send, change)).rejects.toThrow()
  state.isLost = false
  const other = post({ ...said, name: 'pseudonym' }, send, change)
  await expect(other).rejects.toMatchObject({ status: 409 })
  expect(onKeyUsed).toHaveBeenCalledOnce()
  const again = { ...said, name: 'pseudonym', idempotencyKey: 'b' }
  expect(await post(again, send, change)).toEqual({ id: 'b' })
  expect(change).not.toHaveBeenCalled()
})

test('a text under the key of another tab’s text is refused, and goes under its own key', async () => {
  const [here, there, { send, kept }] = [posting(), posting(), server()]
  await there({ idempotencyKey: 'a', body: 'The lift is slow' }, send, change)
  const mine = { idempotencyKey: 'a', body: 'And the stairs are locked' }
  await expect(here(mine, send, change)).rejects.toMatchObject({ status: 409 })
  expect(onKeyUsed).toHaveBeenCalledOnce()
  await here({ ...mine, idempotencyKey: 'b' }, send, change)
  expect([...kept.keys()]).toEqual(['a', 'b'])
  expect(change).not.toHaveBeenCalled()
})
