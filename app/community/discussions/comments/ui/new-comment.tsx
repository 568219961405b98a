import { Hourglass, Lock } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { closeAndFocus } from '#app/kit/forms/form.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { controlLook } from '#app/kit/ui/looks.ts'
import type { Quote } from '#app/kit/writing/post-body.tsx'
import { slowText } from '../../../reports/report.ts'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import { showComment, type ThreadQueries } from '../../discussion-actions.data.ts'
import { CommentComposer } from './comment-row.tsx'

export function NewComment({ thread, queries, mine, quote }: NewCommentProps) {
  const [isOpen, setOpen] = useState(false)
  /** The composer opens with it; reopened, it has only its draft. */
  const [quoted, setQuoted] = useState<Quote>()
  useEffect(() => {
    setQuoted(quote)
    if (quote) setOpen(true)
  }, [quote])
  const opener = useRef<HTMLButtonElement>(null)
  const close = () =>
    closeAndFocus(
      () => {
        setOpen(false)
        setQuoted(undefined)
      },
      () => opener.current,
    )
  if (thread.isLocked)
    return (
      <p className="mt-4 flex items-center gap-2.5 rounded-lg bg-sunken px-4 py-3 text-sm text-ink-soft">
        <Icon of={Lock} className="size-4 shrink-0" />
        <span className="min-w-0 break-words">
          {thread.lockNote ? (
            <>
              A moderator locked this thread: <bdi>{thread.lockNote}</bdi>
            </>
          ) : (
            'This thread is locked. You can read it, but not comment.'
          )}
        </span>
      </p>
    )
  if (mine?.can.comment === false) return null
  const slow = thread.slowMinutes !== null && (
    <p className="mt-4 flex items-center gap-2.5 text-sm text-ink-soft">
      <Icon of={Hourglass} className="size-4 shrink-0" />
      {`Slow mode: you can comment here once every ${slowText(thread.slowMinutes)}.`}
    </p>
  )
  if (isOpen)
    return (
      <div className="mt-4 mb-2">
        {slow}
        <CommentComposer
          threadId={thread.id}
          quote={quoted}
          autoFocus
          onCancel={close}
          onDone={(posted) => {
            close()
            if (posted) showComment(queries, posted)
          }}
        />
      </div>
    )
  return (
    <>
      {slow}
      <button
        ref={opener}
        type="button"
        {...CommentComposer.preload}
        onClick={() => setOpen(true)}
        className={cx(controlLook, 'mt-4 h-12 cursor-text text-left text-ink-faint no-js:hidden')}
      >
        {thread.comments === 0 ? 'Be the first to comment' : 'Add a comment'}
      </button>
      <p className="mt-4 text-sm text-ink-faint js:hidden">Commenting needs JavaScript.</p>
    </>
  )
}

interface NewCommentProps {
  thread: Thread
  queries: ThreadQueries
  mine: MyThread | undefined
  quote?: Quote
}
