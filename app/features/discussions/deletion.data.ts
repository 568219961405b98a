/** Deleting one's own thread by its title, told by toasts. Spec §5, §8. */
import type { Client } from '../../api/client.ts'
import { dismissToast, type Toast, toast } from '../../ui/toast.ts'
import type { DiscussionContract } from './discussion.contract.ts'
import { ownThreadsTitled } from './own-posts.data.ts'

type Notice = Omit<Toast, 'id'>

/** Of several with the title, the first goes and the person is told. Never rejects. */
export async function deletePostTitled(api: Client<DiscussionContract>, title: string) {
  const finding = toast({ title: 'Finding post...', duration: 0 })
  const outcome = await tryToDelete(api, title).catch((error) => noticeOf(error, title))
  dismissToast(finding)
  toast(outcome)
}

async function tryToDelete(api: Client<DiscussionContract>, title: string): Promise<Notice> {
  const [thread, another] = await ownThreadsTitled(api, title)
  if (!thread) return notFound(title)
  if (another)
    toast({ title: 'Multiple matches found', description: 'Only the first of them is deleted.' })
  const gone = await api('DELETE /api/v1/threads/{id}', { params: { id: thread.id } })
  return {
    title: 'Thread deleted successfully',
    description: `"${gone.title}" has been deleted`,
  }
}

function noticeOf(error: unknown, title: string): Notice {
  const { status } = error as { status?: number }
  // Somebody was faster: another tab, or an administrator.
  if (status === 404) return notFound(title)
  if (status === 401 || status === 403)
    return {
      title: 'Not authorized',
      description: 'You can only delete your own posts',
      variant: 'destructive',
    }
  return {
    title: 'Error',
    description: 'Failed to delete the post. Please try again.',
    variant: 'destructive',
  }
}

const notFound = (title: string): Notice => ({
  title: 'Post not found',
  description: `No post found with title "${title}"`,
})
