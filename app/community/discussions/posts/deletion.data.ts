/** Deletes my thread by its title, with toasts. Spec §5, §8. */
import type { ApiError, Client } from '#app/api/client.ts'
import { dismissToast, type Toast, toast } from '#app/kit/ui/toast.ts'
import type { DiscussionContract } from '../discussion.contract.ts'
import { FINDING_POST, postNotDeleted, SEVERAL_MATCHES, threadDeleted } from './post-deletion.ts'

type Notice = Omit<Toast, 'id' | 'open'>

/** Deletes your newest thread with this title. A toast says if there are several. Never rejects. */
export async function deletePostTitled(api: Client<DiscussionContract>, title: string) {
  const finding = toast({ title: FINDING_POST, duration: 0 })
  const outcome = await tryToDelete(api, title).catch((error: ApiError) =>
    postNotDeleted(error, title),
  )
  dismissToast(finding)
  toast(outcome)
}

async function tryToDelete(api: Client<DiscussionContract>, title: string): Promise<Notice> {
  const gone = await api('POST /api/v1/my/threads/deletion', { body: { title } })
  if (gone.isOneOfSeveral) toast(SEVERAL_MATCHES)
  return threadDeleted(gone.title)
}
