import { expect, test } from 'vitest'
import { POST_REFUSALS } from '../discussion.ts'
import {
  DELETE_POST,
  postNotDeleted,
  RETURN_MS,
  RETURN_TO,
  threadDeleted,
  threadNotDeleted,
} from './post-deletion.ts'

test('Spec §2.16: the helper page has its texts, and leads back', () => {
  expect(DELETE_POST).toEqual({
    title: 'Deleting Post',
    busy: 'Deleting post...',
    done: 'Post deletion complete or not found.',
    back: 'Return to previous page',
  })
  expect(RETURN_TO).toBe('/discussions')
})

test('Spec §9: the helper page leads back after 1.5 s', () => expect(RETURN_MS).toBe(1500))

test('Spec §8: a deletion says that it succeeded, found nothing or isn’t allowed', () => {
  expect(threadDeleted('Nap room')).toEqual({
    title: 'Thread deleted successfully',
    description: '"Nap room" has been deleted',
  })
  for (const status of [undefined, 0, 404, 500])
    expect(threadNotDeleted({ status, message: 'No' })).toEqual({
      title: 'Error',
      description: 'Failed to delete thread. Please try again.',
      variant: 'destructive',
    })
  for (const status of [401, 403])
    expect(threadNotDeleted({ status, message: POST_REFUSALS.cannotDeleteThread })).toMatchObject({
      title: 'Not authorized to delete this thread',
    })
})

test('Spec §8: a refused deletion shows the server’s words for its person', () => {
  for (const message of ['You can only delete your own posts', 'Your session has ended.'])
    for (const status of [401, 403])
      expect(postNotDeleted({ status, message }, 'Nap room')).toMatchObject({
        title: 'Not authorized',
        description: message,
      })
  expect(postNotDeleted({ status: 404 }, 'Nap room').title).toBe('Post not found')
  // A proxy refused without a message.
  expect(threadNotDeleted({ status: 403 }).title).toBe('Error')
})
