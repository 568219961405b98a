/** Deleting one's own thread by its title, told by toasts. Spec §5, §8. */
import type { Client } from '../../api/client.ts'
import { dismissToast, type Toast, toast } from '../../ui/toast.ts'
import type { DiscussionContract } from './discussion.contract.ts'
import { ONLY_OWN_POSTS } from './discussion.ts'

type Notice = Omit<Toast, 'id'>

/** Of several with the title, one goes and the person is told. Never rejects. */
export async function deletePostTitled(api: Client<DiscussionContract>, title: string) {
  const finding = toast({ title: 'Finding post...', duration: 0 })
  const outcome = await tryToDelete(api, title).catch((error) => noticeOf(error, title))
  dismissToast(finding)
  toast(outcome)
}

async function tryToDelete(api: Client<DiscussionContract>, title: string): Promise<Notice> {
  const gone = await api('POST /api/v1/my/threads/deletion', { body: { title } })
  if (gone.isOneOfSeveral)
    toast({ title: 'Multiple matches found', description: 'Only the first of them is deleted.' })
  return {
    title: 'Thread deleted successfully',
    description: `"${gone.title}" has been deleted`,
  }
}

function noticeOf(error: unknown, title: string): Notice {
  const { status } = error as { status?: number }
  if (status === 404)
    return { title: 'Post not found', description: `No post found with title "${title}"` }
  if (status === 401 || status === 403)
    return { title: 'Not authorized', description: ONLY_OWN_POSTS, variant: 'destructive' }
  // The server could not, or nobody knows whether it was asked at all.
  const what = status ? 'the post' : 'post'
  return {
    title: 'Error',
    description: `Failed to delete ${what}. Please try again.`,
    variant: 'destructive',
  }
}
