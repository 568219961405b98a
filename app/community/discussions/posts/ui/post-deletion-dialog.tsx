/** Load these dialogs with `lazyDialog`. */

import type { ApiError } from '#app/api/client.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { navigate } from '#app/kit/ui/address.ts'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { deleteComment, deleteThread, type ThreadQueries } from '../../discussion-actions.data.ts'
import { threadDeleted, threadNotDeleted } from '../post-deletion.ts'

export const ThreadDeletionDialog = ({
  queries,
  ...props
}: OpenProps & { queries: ThreadQueries }) => (
  <PostDeletionDialog
    {...props}
    what="thread"
    text="This permanently deletes the thread and all its comments."
    // Spec §8.
    onDelete={async () => {
      try {
        const title = await deleteThread(queries)
        navigate('/discussions', { replace: true })
        toast(threadDeleted(title))
      } catch (error) {
        toast(threadNotDeleted(error as ApiError))
      }
    }}
  />
)

export const CommentDeletionDialog = ({ queries, id, ...props }: CommentProps) => (
  <PostDeletionDialog
    {...props}
    what="comment"
    text="This deletes the comment permanently. Replies stay."
    onDelete={async () => {
      try {
        await deleteComment(queries, id)
        toast({ title: 'Comment deleted' })
      } catch (error) {
        reportError('Error')(error)
      }
    }}
  />
)

function PostDeletionDialog({ open, onOpenChange, what, text, onDelete }: Props) {
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete this ${what}?`}
      texts={{ text, confirm: `Delete ${what}`, busy: 'Deleting...', cancel: 'Keep it' }}
      act={onDelete}
    />
  )
}

type CommentProps = OpenProps & { queries: ThreadQueries; id: string }

type Props = OpenProps & {
  what: 'thread' | 'comment'
  text: string
  /** Shows its own errors, and never rejects. */
  onDelete: () => Promise<void>
}
