/** One comment: what it says, and what one can do with it. */
import { ChevronDown, ChevronRight } from 'lucide'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { plural } from '../../../ui/number.ts'
import { openable } from '../../../ui/openable.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { refusalOf } from '../../accounts/ui/refusal.ts'
import type { Comment, MyThread } from '../discussion.contract.ts'
import {
  type Desk,
  deleteComment,
  showChangedComment,
  showComment,
  voteComment,
} from '../discussion-actions.data.ts'
import { AuthorName } from './byline.tsx'
import { PostBody } from './post-body.tsx'
import { tellOfFailure } from './use-desk.ts'
import { VoteButtons } from './vote-buttons.tsx'

/** Reading does without the editor: it comes when somebody wants to write. */
export const CommentComposer = lazy(() =>
  import('./comment-composer.tsx').then((it) => ({ default: it.CommentComposer })),
)
const PostDeletionDialog = openable(() =>
  import('./post-deletion-dialog.tsx').then((it) => it.PostDeletionDialog),
)

export function CommentRow({ comment, level, isCollapsed, onToggle, desk, mine }: CommentRowProps) {
  const [writing, setWriting] = useState<'reply' | 'change'>()
  const [isDeleting, setDeleting] = useState(false)
  const { id, author, isDeleted, replies } = comment
  const isMine = mine?.comments.includes(id) ?? false
  const close = () => setWriting(undefined)
  return (
    <article aria-label={author ? `Comment by ${author.name}` : 'Deleted comment'}>
      {level > 0 && <p className="sr-only">{`Reply, level ${level + 1}`}</p>}
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-faint">
        {author ? (
          <AuthorName author={author} className="font-semibold text-ink" />
        ) : (
          <span className="italic">[deleted]</span>
        )}
        {comment.isOp && (
          <Badge tone="tea">
            <abbr title="Original poster" className="no-underline">
              OP
            </abbr>
          </Badge>
        )}
        {isMine && !isDeleted && <Badge>You</Badge>}
        <a
          href={`#comment-${id}`}
          aria-label="Link to this comment"
          className="inline-flex min-h-6 items-center hover:text-ink hover:underline hover:underline-offset-4"
        >
          <RelativeTime iso={comment.postedAt} />
        </a>
        {comment.isEdited && !isDeleted && <span>edited</span>}
      </header>

      {!isDeleted &&
        (writing === 'change' ? (
          <Writing>
            <CommentComposer
              threadId={desk.threadId}
              initial={{ commentId: id }}
              autoFocus
              onCancel={close}
              onDone={() => {
                close()
                showChangedComment(desk)
              }}
            />
          </Writing>
        ) : (
          <div className="mt-1.5 text-[0.9375rem]">
            <PostBody html={comment.html} />
          </div>
        ))}

      <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-1">
        {!isDeleted && (
          <VoteButtons
            of={`the comment by ${author?.name ?? 'somebody'}`}
            isSmall
            isOwn={isMine}
            score={comment.score}
            vote={mine ? (mine.votes[id] ?? 0) : undefined}
            onVote={(vote) =>
              voteComment(
                desk,
                id,
                { score: comment.score, vote: mine?.votes[id] ?? 0 },
                vote,
              ).catch(tellOfFailure('Your vote did not count'))
            }
          />
        )}
        {replies > 0 && (
          <button
            type="button"
            aria-expanded={!isCollapsed}
            onClick={onToggle}
            className={cx(smallButton, 'no-js:hidden')}
          >
            <Icon of={isCollapsed ? ChevronRight : ChevronDown} className="size-3.5" />
            {plural(replies, 'reply', 'replies')}
            {isCollapsed && ' hidden'}
          </button>
        )}
        {!isDeleted && mine?.can.comment && (
          <button type="button" onClick={() => setWriting('reply')} className={smallButton}>
            Reply
          </button>
        )}
        {!isDeleted && isMine && (
          <button type="button" onClick={() => setWriting('change')} className={smallButton}>
            Edit
          </button>
        )}
        {!isDeleted && isMine && (
          <>
            <button
              type="button"
              {...PostDeletionDialog.warm}
              onClick={() => setDeleting(true)}
              className={smallButton}
            >
              Delete
            </button>
            <PostDeletionDialog
              open={isDeleting}
              onOpenChange={setDeleting}
              what="comment"
              text="What answers it stays. Nobody can bring it back."
              onDelete={() => deleteAndTell(desk, id)}
            />
          </>
        )}
      </div>
      {writing === 'reply' && (
        <Writing>
          <CommentComposer
            threadId={desk.threadId}
            parentId={id}
            autoFocus
            onCancel={close}
            onDone={(posted) => {
              close()
              if (posted) showComment(desk, posted)
            }}
          />
        </Writing>
      )}
    </article>
  )
}

/** Where a composer comes in a moment. */
export function Writing({ children }: { children: ReactNode }) {
  return (
    <div className="mt-2 mb-2">
      <Suspense fallback={<Skeleton className="h-40 w-full rounded-lg" />}>{children}</Suspense>
    </div>
  )
}

async function deleteAndTell(desk: Desk, id: string) {
  try {
    await deleteComment(desk, id)
    toast({ title: 'Comment deleted' })
  } catch (error) {
    toast({ title: 'Error', description: refusalOf(error), variant: 'destructive' })
  }
}

const smallButton = cx(
  'inline-flex h-10 items-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] first:-ml-2.5 font-medium text-ink-faint md:h-8',
  'transition-colors hover:bg-sunken hover:text-ink',
)

interface CommentRowProps {
  comment: Comment
  level: number
  isCollapsed: boolean
  onToggle: () => void
  desk: Desk
  mine: MyThread | undefined
}
