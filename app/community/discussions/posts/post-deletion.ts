/** What people see when they delete a thread: Spec §2.16, §5, §8, §9, to the letter. */
import { POST_REFUSALS } from '../discussion.ts'

/** The helper page. */
export const DELETE_POST = {
  title: 'Deleting Post',
  busy: 'Deleting post...',
  done: 'Post deletion complete or not found.',
  back: 'Return to previous page',
} as const
export const RETURN_TO = '/discussions'
export const RETURN_MS = 1_500

export const threadDeleted = (title: string) => ({
  title: 'Thread deleted successfully',
  description: `"${title}" has been deleted`,
})

/** Deleting on the thread's page failed. */
export const threadNotDeleted = ({
  status,
  message = '',
}: {
  status?: number
  message?: string
}) =>
  message && (status === 401 || status === 403)
    ? ({ title: message, variant: 'destructive' } as const)
    : ({
        title: 'Error',
        description: 'Failed to delete thread. Please try again.',
        variant: 'destructive',
      } as const)

export const FINDING_POST = 'Finding post...'
export const SEVERAL_MATCHES = {
  title: 'Multiple matches found',
  description: 'The newest one was deleted.',
} as const

/** Deleting by title failed. @param status 0 or missing if the request may not have arrived */
export function postNotDeleted(
  { status, message }: { status?: number; message?: string },
  title: string,
) {
  if (status === 404)
    return { title: 'Post not found', description: POST_REFUSALS.notTitled(title) }
  if (status === 401 || status === 403)
    return { title: 'Not authorized', description: message, variant: 'destructive' } as const
  const what = status ? 'the post' : 'post'
  return {
    title: 'Error',
    description: `Failed to delete ${what}. Please try again.`,
    variant: 'destructive',
  } as const
}

/** Spec §2.16 has a fixed test title but doesn't name it; this is ours. */
export const DELETE_TEST_TITLE = 'Test post'

const folded = (title: string) => title.normalize('NFC').trim().toLowerCase()

/** Ignores case, as in Spec §5. */
export const isSameTitle = (one: string, other: string) => folded(one) === folded(other)
