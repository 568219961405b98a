import { ChevronDown, ChevronRight, Hourglass, Lock } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { PostBadgeMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { closeAndFocus } from '#app/kit/forms/form.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { controlClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { PostBody, type Quote, usePassage } from '#app/kit/writing/post-body.tsx'
import { slowText, stubText } from '../../../reports/report.ts'
import type { Comment, MyThread, Thread } from '../../discussion.contract.ts'
import {
  showChangedComment,
  showComment,
  type ThreadQueries,
  voteComment,
} from '../../discussion-actions.data.ts'
import { AuthorName } from '../../posts/ui/byline.tsx'
import { takeEdit } from '../../posts/ui/use-target.ts'
import { VoteButtons } from '../../votes/ui/vote-buttons.tsx'

/** The editor is heavy, and only writing needs it. */
const CommentComposer = lazyComponent(
  () => import('./comment-composer.tsx').then((it) => it.CommentComposer),
  <Skeleton className="h-40 w-full rounded-lg" />,
)
const CommentActions = lazyComponent(() =>
  import('./comment-actions.tsx').then((it) => it.CommentActions),
)
const CommentTools = lazyComponent(() =>
  import('../../../reports/ui/post-tools.tsx').then((it) => it.CommentTools),
)

export function CommentRow({
  comment,
  name,
  level,
  isCollapsed,
  isTarget,
  onToggle,
  queries,
  myThread,
}: CommentRowProps) {
  const [writing, setWriting] = useState<'reply' | 'change'>()
  const { id, author, isDeleted, removal, replies } = comment
  const isShown = !isDeleted && !removal
  const isMine = myThread?.comments.includes(id) ?? false
  const opener = useRef<HTMLElement>(null)
  const mayBeAsked = isTarget && isShown && isMine
  useEffect(() => {
    if (mayBeAsked && takeEdit()) setWriting('change')
  }, [mayBeAsked])
  const { post, watch, takeQuote } = usePassage()
  const [quote, setQuote] = useState<Quote>()
  const write = (what: 'reply' | 'change', from: HTMLElement) => {
    opener.current = from
    setWriting(what)
  }
  const quoteIt = (from: HTMLElement) => {
    setQuote(takeQuote())
    write('reply', from)
  }
  const close = () =>
    closeAndFocus(
      () => setWriting(undefined),
      () => opener.current,
    )
  return (
    <article
      aria-label={isShown ? name.replace('c', 'C') : removal ? 'Hidden comment' : 'Deleted comment'}
    >
      {level > 0 && <p className="sr-only">{`Reply, level ${level + 1}`}</p>}
      <header>
        {isShown && author ? (
          <AuthorName author={author} className="comment-author" />
        ) : (
          <span className="italic">{removal ? stubText(removal) : '[deleted]'}</span>
        )}
        {comment.isOp && isShown && (
          <Badge tone="tea">
            <abbr title="Original poster" className="no-underline">
              OP
            </abbr>
          </Badge>
        )}
        {isMine && !isDeleted && <Badge>You</Badge>}
        <PostBadgeMark badge={comment.badge} waits={myThread?.hiddenBadges.includes(id)} />
        <a href={`#comment-${id}`} className="comment-link">
          <span className="sr-only">{`Link to ${name}, `}</span>
          <RelativeTime iso={comment.postedAt} />
        </a>
        {comment.isEdited && isShown && <span>edited</span>}
      </header>

      {isShown &&
        (writing === 'change' ? (
          <div className="my-2">
            <CommentComposer
              threadId={queries.threadId}
              initial={{ commentId: id }}
              autoFocus
              onCancel={close}
              onDone={() => {
                close()
                showChangedComment(queries)
              }}
            />
          </div>
        ) : (
          <div ref={post}>
            <PostBody html={comment.html} />
          </div>
        ))}

      <div className="comment-tools" {...watch}>
        {isShown && (
          <VoteButtons
            of={name}
            isSmall
            isOwn={isMine}
            score={comment.score}
            vote={myThread ? (myThread.votes[id] ?? 0) : undefined}
            onVote={(vote) =>
              voteComment(
                queries,
                id,
                { score: comment.score, vote: myThread?.votes[id] ?? 0 },
                vote,
              ).catch(reportError('Your vote didn’t count'))
            }
          />
        )}
        {replies > 0 && (
          <button
            type="button"
            aria-expanded={!isCollapsed}
            onClick={onToggle}
            className={cx('small-button', 'no-js:hidden')}
          >
            <Icon of={isCollapsed ? ChevronRight : ChevronDown} className="size-3.5" />
            <span>
              {grouped(replies)}
              <span className="max-md:sr-only">
                {replies === 1 ? ' reply' : ' replies'}
                {isCollapsed && ' hidden'}
              </span>
              <span className="sr-only">{` to ${name}`}</span>
            </span>
          </button>
        )}
        {isShown && myThread?.can.comment && (
          <button
            type="button"
            onClick={({ currentTarget }) => {
              setQuote(undefined)
              write('reply', currentTarget)
            }}
            aria-label={`Reply to ${name}`}
            className="small-button"
          >
            Reply
          </button>
        )}
        {isShown && myThread && (
          <CommentActions
            comment={comment}
            name={name}
            isMine={isMine}
            queries={queries}
            myThread={myThread}
            onEdit={(from) => write('change', from)}
            onQuote={myThread.can.comment ? quoteIt : undefined}
          />
        )}
        {myThread?.can.moderate && !isDeleted && (
          <CommentTools comment={comment} name={name} threadId={queries.threadId} />
        )}
      </div>
      {writing === 'reply' && (
        <div className="my-2">
          <CommentComposer
            threadId={queries.threadId}
            parentId={id}
            quote={quote}
            autoFocus
            onCancel={close}
            onDone={(posted) => {
              close()
              if (posted) showComment(queries, posted)
            }}
          />
        </div>
      )}
    </article>
  )
}

interface CommentRowProps {
  comment: Comment
  /** "comment by …" */
  name: string
  level: number
  isCollapsed: boolean
  isTarget: boolean
  onToggle: () => void
  queries: ThreadQueries
  myThread: MyThread | undefined
}

export function NewComment({ thread, queries, myThread, quote }: NewCommentProps) {
  const [isOpen, setOpen] = useState(false)
  /** The composer opens with this quote. A reopened composer only has its draft. */
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
            'This thread is locked. You can read it, but you can’t comment.'
          )}
        </span>
      </p>
    )
  if (myThread?.can.comment === false) return null
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
        className={cx(
          controlClasses,
          'mt-4 h-12 cursor-text text-left text-ink-faint no-js:hidden',
        )}
      >
        {thread.comments === 0 ? 'Be the first to comment' : 'Add a comment'}
      </button>
      <NeedsScripts className="mt-4">Commenting needs JavaScript.</NeedsScripts>
    </>
  )
}

interface NewCommentProps {
  thread: Thread
  queries: ThreadQueries
  myThread: MyThread | undefined
  quote?: Quote
}
