import { ArrowBigUp, ChartBar, Ellipsis, Lock, MessageCircle, Pin } from 'lucide'
import type { ReactNode } from 'react'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { ThreadRow as Row } from '../../discussion.contract.ts'
import type { marksOf } from '../../lists/read-threads.ts'
import type { ListVotes } from '../../lists/ui/use-list-votes.ts'
import { Byline } from '../../posts/ui/byline.tsx'
import { Found } from '../../search/ui/found.tsx'
import { VoteButtons } from '../../votes/ui/vote-buttons.tsx'

const RowMenu = lazyDialog(() => import('../../lists/ui/row-menu.tsx').then((it) => it.RowMenu))

/** `showsCompany` is off where every row is about the same one. */
export function ThreadRow({
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

export const threadListLook =
  'divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface'

/** As many rows as a screen shows, as high as most are. */
export function ThreadRowsSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading discussions..." className={threadListLook}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div key={row} className="h-43 px-4 py-5 md:px-5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2.5 h-5 w-3/4" />
          <Skeleton className="mt-3 h-4 w-full" />
          <Skeleton className="mt-2 h-4 w-2/3" />
          <Skeleton className="mt-4 h-4 w-48" />
        </div>
      ))}
    </div>
  )
}

interface ThreadRowProps {
  thread: Row
  showsCompany?: boolean
  heading?: 'h2' | 'h3'
  marks?: ReturnType<typeof marksOf>
  votes?: ListVotes
}
