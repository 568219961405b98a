/** The moderators' page: reported posts, appeals and decisions. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { DecisionContract } from '#app/community/reports/decision.contract.ts'
import { undoEntries } from '#app/community/reports/decision.data.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { NeedsFactor } from '#app/kit/session/awaited-factor.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { PageHead, SiteLink, useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Badge, CountBadge } from '#app/kit/ui/badge.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses, tabClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate, dateText } from '#app/kit/ui/format.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import type { LogEntry, ModerationContract } from './moderation.contract.ts'
import { logQuery, queueQuery } from './moderation.data.ts'
import { decisionText } from './moderation.ts'
import { ModerationTools } from './ui/moderation-tools.tsx'
import { Queue } from './ui/queue.tsx'

const TABS = [
  { key: 'queue', name: 'Queue' },
  { key: 'appeals', name: 'Appeals' },
  { key: 'log', name: 'Log' },
  { key: 'tools', name: 'Tools' },
] as const

export default function ModerationScreen() {
  return (
    <>
      <PageHead title="Moderation" text="Reports, appeals and decisions." />
      <MembersOnly
        title="Moderation"
        text="Reports and appeals are for the moderators of this site. Log in if you are one."
      >
        {({ can, needsSecondFactor }) => {
          if (needsSecondFactor) return <NeedsFactor />
          return can.includes('moderate') ? <Moderation /> : <NotForYou />
        }}
      </MembersOnly>
    </>
  )
}

function NotForYou() {
  const { flags } = useSite()
  return (
    <EmptyState
      isHeading
      className="mt-[8svh]"
      title="Only moderators see this page"
      text="You can report any post. A moderator will look at it."
      action={
        flags.enableDiscussions && (
          <a href="/discussions" className={buttonClasses('secondary')}>
            Browse discussions
          </a>
        )
      }
    />
  )
}

function Moderation() {
  const api = useApi<ModerationContract>()
  const wanted = new URLSearchParams(useAddress().search).get('tab')
  const tab = TABS.find(({ key }) => key === wanted)?.key ?? 'queue'
  const waiting = useInfiniteQuery(queueQuery(api, 'open')).data?.pages[0]?.counts
  const counts = {
    queue: waiting?.open,
    appeals: waiting?.appeals,
    log: undefined,
    tools: undefined,
  }
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-4 md:py-12">
      <h1 className="font-serif text-2xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Moderation
      </h1>
      <p className="mt-3 max-w-prose text-sm leading-6 text-ink-soft max-md:sr-only">
        You can’t know what’s true, so judge a post by what it does to people.
      </p>
      <nav aria-label="Moderation" className="mt-2 border-b border-line md:mt-8">
        <ul className="-mb-px flex gap-5 overflow-x-auto sm:gap-6">
          {TABS.map(({ key, name }) => (
            <li key={key}>
              <a
                href={key === 'queue' ? '/admin/moderation' : `/admin/moderation?tab=${key}`}
                data-replace
                aria-current={tab === key ? 'page' : undefined}
                className={cx(tabClasses(tab === key), 'gap-2')}
              >
                {name}
                {counts[key] ? (
                  <CountBadge what="waiting">{abbreviate(counts[key])}</CountBadge>
                ) : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-h-64 py-3 md:py-6">
        {tab === 'log' && <DecisionLog />}
        {tab === 'tools' && <ModerationTools />}
        {(tab === 'queue' || tab === 'appeals') && <Queue key={tab} list={LISTS[tab]} />}
      </div>
    </div>
  )
}

const LISTS = { queue: 'open', appeals: 'appeals' } as const

function DecisionLog() {
  const query = useInfiniteQuery(logQuery(useApi<ModerationContract>()))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <PagedList
      query={query}
      items={entries.map((entry) => ({ ...entry, id: String(entry.entry) }))}
      empty={
        <EmptyState
          title="No decisions yet"
          text="You’ll see what moderators decide here, and can undo it."
        />
      }
      render={(entry) => <LoggedDecision entry={entry} />}
    />
  )
}

function LoggedDecision({ entry }: { entry: LogEntry }) {
  const { moderator, thread, href, reason, note, isUndone } = entry
  return (
    <article className="flex items-start justify-between gap-4 text-sm leading-6">
      <div className="min-w-0">
        <p className={cx('text-ink-soft', isUndone && 'line-through decoration-line-strong')}>
          <strong className="font-semibold text-ink">{moderator}</strong> {decisionText(entry)}
          {reason && `: ${reasonName(reason)}`}
        </p>
        {thread ? (
          <SiteLink href={href ?? thread.path} dir="auto" className={linkClasses}>
            {thread.title}
          </SiteLink>
        ) : (
          <span className="text-ink-faint italic">No longer exists</span>
        )}
        {note && <p className="mt-1 whitespace-pre-line text-ink-faint">“{note}”</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-ink-faint">
          {dateText(entry.day)}
          {isUndone && <Badge>Undone</Badge>}
        </p>
      </div>
      {entry.mayUndo && <UndoButton entry={entry} />}
    </article>
  )
}

function UndoButton({ entry }: { entry: LogEntry }) {
  const api = useApi<DecisionContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-disabled={isBusy || undefined}
      aria-label={`Undo: ${entry.moderator} ${decisionText(entry)}`}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        const threadId = entry.thread?.id ?? null
        await undoEntries({ api, queryClient, threadId }, [entry.entry])
        setBusy(false)
      }}
    >
      Undo
    </Button>
  )
}
