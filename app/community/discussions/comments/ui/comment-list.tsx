import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useIsKnown } from '#app/kit/session/session.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { plural } from '#app/kit/ui/format.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { Quote } from '#app/kit/writing/post-body.tsx'
import type { Comment, MyThread, Thread } from '../../discussion.contract.ts'
import { type CommentsAddress, commentsHref, commentsQuery } from '../../discussion.data.ts'
import { COMMENT_SORTS, type CommentSort } from '../../discussion.ts'
import { invalidateThread, type ThreadQueries } from '../../discussion-actions.data.ts'
import { postNames } from '../../posts/post-names.ts'
import { useTarget } from '../../posts/ui/use-target.ts'
import { DEEPEST, DEEPEST_ON_PHONES, visibleRows } from '../comment-branches.ts'
import { CommentRow, NewComment } from './comment-row.tsx'

/** Loaded lazily, because it's heavy and does nothing for the first seconds. */
const NewComments = lazyComponent(() => import('./new-comments.tsx').then((it) => it.NewComments))

export function CommentList({ thread, address, queries, myThread, quote }: CommentListProps) {
  const list = useInfiniteQuery({
    ...commentsQuery(queries.api, thread.id, address),
    placeholderData: keepPreviousData,
  })
  const isKnown = useIsKnown()
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const pages = list.data?.pages
  const comments = useMemo(() => pages?.flatMap((page) => page.comments) ?? [], [pages])
  const names = useMemo(
    () =>
      postNames(
        'comment',
        comments.map(({ id, author }) => ({ id, name: author?.name })),
      ),
    [comments],
  )
  const rows = useMemo(() => visibleRows(comments, collapsed), [comments, collapsed])
  const isHere = (id: string) => comments.some((comment) => comment.id === id)
  const target = useShownTarget(list.isSuccess && !list.isPlaceholderData, isHere, thread, address)
  const toggle = useCallback(
    (id: string) =>
      setCollapsed((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  const parent = address.below && comments[0]?.parentId

  return (
    <section aria-labelledby="comments" className="mt-10">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="comments" className="font-serif text-2xl font-medium tracking-tight">
          {thread.comments === 0 ? 'Comments' : plural(thread.comments, 'comment')}
        </h2>
        {thread.comments > 1 && <SortLinks path={thread.path} address={address} />}
      </div>

      {address.below ? (
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 rounded-lg bg-sunken px-4 py-3 text-sm text-ink-soft">
          You’re seeing one branch of the discussion.
          <a href={commentsHref(thread.path, { sort: address.sort })} className={linkClasses}>
            Show all comments
          </a>
          {parent && (
            <a
              href={commentsHref(thread.path, { sort: address.sort, below: parent })}
              className={linkClasses}
            >
              Show the comment it replies to
            </a>
          )}
        </p>
      ) : (
        <NewComment thread={thread} queries={queries} myThread={myThread} quote={quote} />
      )}
      {isKnown && (
        <NewComments
          threadId={thread.id}
          known={thread.comments}
          onShow={() => invalidateThread(queries)}
        />
      )}

      {list.isPending && <CommentsSkeleton />}
      {list.isError && comments.length === 0 && (
        <LoadError
          title={address.below ? 'This comment no longer exists' : 'Something went wrong'}
          text={errorSentence(list.error)}
          onRetry={list.refetch}
        />
      )}
      <ol
        className={cx('mt-4 transition-opacity', list.isPlaceholderData && 'opacity-60')}
        aria-busy={list.isPlaceholderData || undefined}
      >
        {rows.map(({ comment, level, isCollapsed }, at) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            name={names.get(comment.id) ?? ''}
            level={level}
            isCollapsed={isCollapsed}
            isTarget={target === comment.id}
            isFar={at >= FAR}
            branchHref={commentsHref(thread.path, { sort: address.sort, below: comment.id })}
            onToggle={toggle}
            queries={queries}
            myThread={myThread}
          />
        ))}
      </ol>
      <MoreButton list={list} label="Load more comments" busyLabel="" className="mt-4" />
    </section>
  )
}

/** Comments after this many are laid out only near the screen. */
const FAR = 100

/** Memoized, so of thousands of comments only the changed ones render again. */
const CommentItem = memo(function CommentItem(props: CommentItemProps) {
  const { comment, name, level, isCollapsed, isTarget, isFar, branchHref, onToggle } = props
  const { queries, myThread } = props
  return (
    <li
      id={`comment-${comment.id}`}
      aria-current={isTarget || undefined}
      className={cx(
        'comment',
        level > 0 && 'comment-below',
        level > DEEPEST_ON_PHONES && 'max-md:hidden',
      )}
    >
      {GUIDES.slice(0, level).map((guide) => (
        <span key={guide} aria-hidden="true" className="comment-guide" />
      ))}
      <div
        className={cx(
          isTarget && 'bg-tea-soft/70',
          isFar && '[contain-intrinsic-size:auto_9rem] [content-visibility:auto]',
        )}
      >
        <CommentRow
          comment={comment}
          name={name}
          level={level}
          isCollapsed={isCollapsed}
          isTarget={isTarget}
          onToggle={() => onToggle(comment.id)}
          queries={queries}
          myThread={myThread}
        />
        {comment.replies > 0 && !isCollapsed && level >= DEEPEST_ON_PHONES && (
          <ContinueLink href={branchHref} level={level} of={name} />
        )}
      </div>
    </li>
  )
}, isSameItem)

function isSameItem(before: CommentItemProps, after: CommentItemProps) {
  const { myThread: myThreadBefore, ...restBefore } = before
  const { myThread, ...rest } = after
  const isAlike = (Object.keys(rest) as (keyof typeof rest)[]).every(
    (name) => rest[name] === restBefore[name],
  )
  return isAlike && isSameToComment(after.comment.id, myThreadBefore, myThread)
}

/** `myThread` changes with each vote, which affects few comments. */
function isSameToComment(id: string, before: MyThread | undefined, after: MyThread | undefined) {
  if (before === after) return true
  if (!before || !after) return false
  const { votes: votesBefore, comments: commentsBefore, ...restBefore } = before
  const { votes, comments, ...rest } = after
  return (
    votesBefore[id] === votes[id] &&
    commentsBefore.includes(id) === comments.includes(id) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === restBefore[name])
  )
}

const GUIDES = Array.from({ length: DEEPEST }, (_, level) => level)

/** On phones a branch ends earlier; in between, only phones have the link. */
function ContinueLink({ href, level, of }: { href: string; level: number; of: string }) {
  if (level !== DEEPEST_ON_PHONES && level !== DEEPEST) return null
  return (
    <p className={cx('mt-1 mb-2 text-sm', level === DEEPEST_ON_PHONES && 'md:hidden')}>
      <a href={href} rel="nofollow" className={linkClasses}>
        Continue this thread
        <span className="sr-only">{` below ${of}`}</span>
      </a>
    </p>
  )
}

const SORT_NAMES: Record<CommentSort, string> = { best: 'Best', new: 'New', old: 'Old' }

function SortLinks({ path, address }: { path: string; address: CommentsAddress }) {
  return (
    <nav aria-label="Order of comments">
      <ul className="-mx-2 flex text-sm">
        {COMMENT_SORTS.map((sort) => {
          const isCurrent = (address.sort ?? 'best') === sort
          return (
            <li key={sort}>
              <a
                href={commentsHref(path, { ...address, sort })}
                rel="nofollow"
                data-replace
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(
                  'inline-flex h-10 items-center px-2 md:h-8',
                  isCurrent
                    ? 'font-semibold text-ink underline decoration-tea decoration-2 underline-offset-8'
                    : 'text-ink-soft hover:text-ink',
                )}
              >
                {SORT_NAMES[sort]}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Scrolls to the comment in the address. If it isn't loaded, we show its branch. */
function useShownTarget(
  isLoaded: boolean,
  isHere: (id: string) => boolean,
  { path }: Thread,
  { below }: CommentsAddress,
) {
  const target = useTarget()
  const isShown = target !== undefined && isHere(target)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (!target || !isLoaded || shown.current === target) return
    const element = isShown ? document.getElementById(`comment-${target}`) : null
    // A comment that's too deep to be indented isn't visible here either.
    if (element && element.getClientRects().length > 0) {
      shown.current = target
      element.scrollIntoView()
    } else if (below !== target)
      navigate(commentsHref(path, { below: target }) + window.location.hash, { replace: true })
  }, [target, isLoaded, isShown, path, below])
  return target
}

const CommentsSkeleton = () => (
  <Loading label="Loading comments..." times={3} className="mt-6 grid gap-8">
    <div>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-3 h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-2/3" />
    </div>
  </Loading>
)

interface CommentListProps {
  thread: Thread
  address: CommentsAddress
  queries: ThreadQueries
  myThread: MyThread | undefined
  quote?: Quote
}

interface CommentItemProps {
  comment: Comment
  name: string
  level: number
  isCollapsed: boolean
  isTarget: boolean
  isFar: boolean
  branchHref: string
  onToggle: (id: string) => void
  queries: ThreadQueries
  myThread: MyThread | undefined
}
