import { useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query'
import { ArrowBigUp, ChartBar, Ellipsis, Lock, MessageCircle, Pin, Rss } from 'lucide'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { useStored } from '#app/kit/ui/stored-value.ts'
import type { DiscussionContract, ThreadRow as Row } from '../../discussion.contract.ts'
import {
  myThreadQuery,
  type ThreadListAddress,
  threadListHref,
  threadListQuery,
  threadVotesQuery,
} from '../../discussion.data.ts'
import { voteThread } from '../../discussion-actions.data.ts'
import { isLeftOut, listChoices, marksOf, readThreads } from '../../lists/lists.data.ts'
import { Byline } from '../../posts/ui/byline.tsx'
import { Found } from '../../search/ui/found.tsx'
import { VoteButtons } from '../../votes/ui/vote-buttons.tsx'
import type { Vote } from '../../votes/vote.ts'

export function ThreadList({ address, showsCompany, heading, empty }: ThreadListProps) {
  const api = useApi<DiscussionContract>()
  const list = useInfiniteQuery(threadListQuery(api, address))
  const pages = list.data?.pages ?? []
  const rows = pages.map((page, at) =>
    at === 0 ? [...page.pinned, ...page.threads] : page.threads,
  )
  const threads = rows.flat()
  const votes = useListVotes(rows)
  const choices = useStored(listChoices)
  const read = useStored(readThreads)
  const shown = threads.filter((thread) => !isLeftOut(thread, choices, address))
  if (list.isPending) return <ThreadRowsSkeleton />
  if (list.isError && threads.length === 0)
    return <LoadError text={errorSentence(list.error)} onRetry={list.refetch} />
  if (threads.length === 0) return empty
  return (
    <>
      {shown.length < threads.length && (
        <p className="mb-3 text-sm text-ink-faint">
          {`You’ve hidden or muted ${plural(threads.length - shown.length, 'discussion')} in this list.`}
        </p>
      )}
      <ul className={cx(threadListClasses, shown.length === 0 && 'hidden')}>
        {shown.map((thread) => (
          <li key={thread.id}>
            <ThreadRow
              thread={thread}
              showsCompany={showsCompany}
              heading={heading}
              marks={marksOf(thread, read)}
              votes={votes}
            />
          </li>
        ))}
      </ul>
      <MoreButton
        list={list}
        label="Load more"
        href={threadListHref({ ...address, after: pages.at(-1)?.next ?? undefined })}
        className="mt-6 min-h-11"
      />
    </>
  )
}

interface ThreadListProps {
  address: ThreadListAddress
  showsCompany?: boolean
  heading?: 'h2' | 'h3'
  empty: ReactNode
}

const RowMenu = lazyDialog(() => import('../../lists/ui/row-menu.tsx').then((it) => it.RowMenu))

/** `showsCompany` is off if all rows are about the same company. */
function ThreadRow({
  thread,
  showsCompany = true,
  heading: Title = 'h2',
  marks,
  votes,
}: ThreadRowProps) {
  const { title, excerpt, company, topics, score, comments, match } = thread
  const hasKicker = (showsCompany && company) || topics.length > 0
  return (
    <article className="group relative px-4 py-5 transition-colors hover:bg-sunken/60 md:px-5">
      {hasKicker && (
        <p className="dotted mb-1.5 gap-y-1 text-[0.8125rem] text-ink-faint">
          {showsCompany && company && (
            <SiteLink
              href={company.path}
              className="relative z-1 font-semibold text-tea hover:underline hover:underline-offset-4"
            >
              {company.name}
            </SiteLink>
          )}
          {topics.length > 0 && <span>{topics.map(({ name }) => name).join(', ')}</span>}
        </p>
      )}
      <Title
        dir="auto"
        className={cx(
          'text-[1.0625rem] leading-snug font-semibold text-pretty',
          marks?.isRead && marks.added === 0 ? 'text-ink-soft' : 'text-ink',
        )}
      >
        {/* The whole row is the link's target; its title stays the link's text. */}
        <a
          href={thread.path}
          className="outline-none after:absolute after:inset-0 group-hover:text-tea-strong focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-tea"
        >
          {match ? <Found pieces={match.title} /> : title}
        </a>
        {marks?.isNew && (
          <Badge tone="tea" className="ml-2 align-middle">
            New
          </Badge>
        )}
      </Title>
      {(match ? match.text.length > 0 : excerpt) && (
        <p
          dir="auto"
          className={cx(
            'mt-1.5 text-[0.9375rem] leading-relaxed text-ink-soft',
            match ? 'line-clamp-4 md:line-clamp-2' : 'line-clamp-2',
          )}
        >
          {match?.isComment && <span className="text-ink-faint">In a comment: </span>}
          {match ? <Found pieces={match.text} /> : excerpt}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-[0.8125rem] text-ink-faint">
        <p className="dotted mr-auto min-w-0 items-center">
          <Byline author={thread.author} badge={thread.badge} postedAt={thread.postedAt} />
        </p>
        <p className="ml-auto flex items-center gap-4">
          {thread.isPinned && (
            <Badge tone="tea" icon={<Icon of={Pin} />}>
              Pinned
            </Badge>
          )}
          {thread.hasPoll && <Badge icon={<Icon of={ChartBar} />}>Poll</Badge>}
          {thread.isLocked && <Badge icon={<Icon of={Lock} />}>Locked</Badge>}
          {!votes && (
            <Count n={score} what={plural(score, 'point')}>
              <Icon of={ArrowBigUp} className="size-4" strokeWidth={1.75} />
            </Count>
          )}
          <Count n={comments} what={plural(comments, 'comment')}>
            <Icon of={MessageCircle} className="size-4" />
          </Count>
          {marks && marks.added > 0 && (
            <span className="font-medium text-tea">{`${abbreviate(marks.added)} new`}</span>
          )}
        </p>
        {votes && (
          <div className="relative z-1 -my-1.5 flex items-center">
            <VoteButtons
              isSmall
              of={`“${title}”`}
              score={score}
              vote={votes.voteOf(thread)}
              isOwn={votes.isOwn(thread)}
              onVote={(vote) => votes.vote(thread, vote)}
            />
            <MenuButton
              aria-label={`More about “${title}”`}
              preload={RowMenu.preload}
              className="size-10 px-0 text-ink-faint no-js:hidden md:size-8"
              menu={(popup) => <RowMenu {...popup} thread={thread} />}
            >
              <Icon of={Ellipsis} />
            </MenuButton>
          </div>
        )}
      </div>
    </article>
  )
}

function Count({ n, what, children }: { n: number; what: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      {children}
      <span aria-hidden="true">{abbreviate(n)}</span>
      <span className="sr-only">{what}</span>
    </span>
  )
}

const threadListClasses =
  'divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface'

/** Fills a screen with rows as high as most threads. */
const ThreadRowsSkeleton = () => (
  <Loading label="Loading discussions..." times={6} className={threadListClasses}>
    <div className="h-43 px-4 py-5 md:px-5">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="mt-2.5 h-5 w-3/4" />
      <Skeleton className="mt-3 h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-2/3" />
      <Skeleton className="mt-4 h-4 w-48" />
    </div>
  </Loading>
)

interface ThreadRowProps {
  thread: Row
  showsCompany?: boolean
  heading?: 'h2' | 'h3'
  marks?: ReturnType<typeof marksOf>
  votes?: ListVotes
}

const NO_VOTES: { votes: Record<string, Vote>; own: string[] } = { votes: {}, own: [] }

/** Earlier votes load page by page, once we know the session. @param pages the threads of each page of the list */
function useListVotes(pages: Row[][]) {
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const reader = useReader()
  const answers = useQueries({
    queries: pages.map((threads) => ({
      ...threadVotesQuery(
        api,
        sessionKey,
        threads.map(({ id }) => id),
      ),
      // A visitor who wrote and voted nothing here has none.
      ...(!reader && { queryFn: () => NO_VOTES }),
      enabled: isKnown && reader !== undefined && threads.length > 0,
    })),
  })
  const voteOf = ({ id }: Row): Vote | undefined => {
    const at = pages.findIndex((threads) => threads.some((thread) => thread.id === id))
    const answer = answers[at]?.data
    return isKnown && answer ? (answer.votes[id] ?? 0) : undefined
  }
  const isOwn = ({ id }: Row) => answers.some(({ data }) => data?.own.includes(id))
  const vote = async (thread: Row, to: Vote) => {
    const queries = { api, queryClient, threadId: thread.id, sessionKey }
    try {
      // The response says whether a vote needs a spam check.
      await queryClient.fetchQuery(myThreadQuery(api, thread.id, sessionKey))
      await voteThread(queries, { score: thread.score, vote: voteOf(thread) ?? 0 }, to)
    } catch (error) {
      reportError('Your vote didn’t count')(error)
    }
  }
  return { voteOf, isOwn, vote }
}

type ListVotes = ReturnType<typeof useListVotes>

/** @param of the list's name, which is the feed's too */
export function FeedLink({ of, href }: { of: string; href: string }) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={of} href={href} />
      {/* With `target`, the browser opens the file instead of our own navigation. */}
      <a
        href={href}
        target="_self"
        className="inline-flex min-h-10 items-center gap-1.5 text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink md:min-h-8"
      >
        <Icon of={Rss} className="size-3.5" />
        Atom feed
        <span className="sr-only">{`: ${of}`}</span>
      </a>
    </>
  )
}
