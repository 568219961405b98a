/** The way to answer a thread: a line that becomes the composer when somebody wants to write. */
import { Lock } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { closeAndFocus } from '../../../../ui/close-and-focus.ts'
import { controlLook } from '../../../../ui/control-look.ts'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/icon.tsx'
import type { Quote } from '../../../../writing/quote.ts'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import { showComment, type ThreadQueries } from '../../discussion-actions.data.ts'
import { CommentComposer } from './comment-row.tsx'

export function NewComment({ thread, queries, mine, quote }: NewCommentProps) {
  const [isOpen, setOpen] = useState(false)
  /** What the open composer begins with; opened once more it begins with its draft alone. */
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
        This thread is locked. It can be read, but not answered any more.
      </p>
    )
  if (mine?.can.comment === false) return null
  if (isOpen)
    return (
      <div className="mt-4 mb-2">
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
      <button
        ref={opener}
        type="button"
        {...CommentComposer.preload}
        onClick={() => setOpen(true)}
        className={cx(controlLook, 'mt-4 h-12 cursor-text text-left text-ink-faint no-js:hidden')}
      >
        {thread.comments === 0 ? 'Be the first to answer' : 'Add a comment'}
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
