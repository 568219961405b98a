/** News by day, a page at a time. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import {
  AtSign,
  BellRing,
  BriefcaseBusiness,
  Building2,
  type IconNode,
  MessageCircle,
  ShieldAlert,
} from 'lucide'
import { type ReactNode, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { muteThread } from '#app/community/discussions/discussion-actions.data.ts'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { type GrowingList, MoreButton } from '#app/kit/ui/paged-list.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { Notification } from '../notification.contract.ts'
import {
  byDay,
  hasRecourse,
  KEPT_DAYS,
  type NotificationKind,
  notificationSentence,
} from '../notification.ts'
import { type Inbox, markRead } from '../notification-actions.data.ts'

export function NotificationList({ list, notifications, inbox, empty }: NotificationListProps) {
  const [muted, mute] = useMuting(inbox)
  const isMuted = ({ thread }: Notification) =>
    thread !== null && (muted.get(thread.id) ?? thread.isMuted)
  if (list.isPending) return <NotificationsSkeleton />
  if (list.isError && notifications.length === 0)
    return <LoadError text={errorSentence(list.error)} onRetry={list.refetch} />
  if (notifications.length === 0) return empty
  return (
    <>
      {byDay(notifications, new Date()).map(({ name, items }) => (
        <section key={name} aria-label={name} className="mb-8">
          <h2 className="mb-2 text-sm font-semibold text-ink-soft">{name}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
            {items.map((item) => (
              <li key={item.id}>
                <NotificationRow
                  notification={item}
                  isMuted={isMuted(item)}
                  onMute={(isMuted) => item.thread && mute(item.thread.id, isMuted)}
                  onMark={(isRead) =>
                    markRead(inbox, item, isRead).catch(reportError('Couldn’t mark it'))
                  }
                  // The person is leaving the page, so we show nothing. The next visit shows the
                  // result.
                  onOpen={() => markRead(inbox, item, true).catch(() => {})}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <MoreButton list={list} />
      {!list.hasNextPage && (
        <p className="text-center text-sm text-ink-faint">{`We keep news for ${KEPT_DAYS} days.`}</p>
      )}
    </>
  )
}

/** Threads that were muted or unmuted since the list loaded. */
function useMuting({ queryClient, reader: sessionKey }: Inbox) {
  const api = useApi<DiscussionContract>()
  const [muted, setMuted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const show = (threadId: string, isMuted: boolean) =>
    setMuted((before) => new Map(before).set(threadId, isMuted))
  const mute = (threadId: string, isMuted: boolean) => {
    show(threadId, isMuted)
    muteThread({ api, queryClient, threadId, sessionKey }, isMuted).catch((error) => {
      show(threadId, !isMuted)
      reportError(isMuted ? 'Couldn’t mute it' : 'Couldn’t unmute it')(error)
    })
  }
  return [muted, mute] as const
}

export function NotificationsSkeleton() {
  return (
    <div role="status" aria-label="Loading notifications...">
      <Skeleton className="h-5 w-20" />
      <div className="mt-3 divide-y divide-line rounded-xl border border-line bg-surface">
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="flex h-42 gap-3 px-4 py-5 md:h-36">
            <Skeleton className="size-9 shrink-0 rounded-full!" />
            <div className="flex-1">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="mt-3 h-5 w-4/5" />
              <Skeleton className="mt-3 h-4 w-2/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}

interface NotificationListProps {
  list: GrowingList & Pick<UseInfiniteQueryResult, 'error' | 'isError' | 'isPending' | 'refetch'>
  /** News of all loaded pages. */
  notifications: Notification[]
  inbox: Inbox
  empty: ReactNode
}

const ICONS: Record<NotificationKind, IconNode> = {
  reply: MessageCircle,
  mention: AtSign,
  'company-reply': Building2,
  moderation: ShieldAlert,
  alert: BellRing,
}

function NotificationRow({ notification, isMuted, onMark, onMute, onOpen }: NotificationRowProps) {
  const { flags } = useSite()
  const { kind, excerpt, isRead } = notification
  const title = titleOf(notification)
  const about = <span className="sr-only">{` “${title}”`}</span>
  return (
    <article className={cx('flex gap-3 px-4 py-4 md:gap-4 md:px-5', !isRead && 'bg-tea-soft/35')}>
      <span
        className={cx(
          'relative mt-0.5 flex size-9 shrink-0 items-center justify-center rounded-full',
          isRead ? 'bg-sunken text-ink-faint' : 'bg-tea-soft text-tea-strong',
        )}
      >
        <Icon
          of={notification.event === 'job' ? BriefcaseBusiness : ICONS[kind]}
          className="size-4"
        />
        {!isRead && (
          <span className="absolute top-0 right-0 size-2.5 rounded-full bg-tea ring-2 ring-surface">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="dotted text-sm leading-6 text-ink-soft">
          <span>
            {notificationSentence(notification).map((piece, at) =>
              at % 2 === 1 ? (
                <strong key={piece} className="font-semibold text-ink">
                  {piece}
                </strong>
              ) : (
                piece
              ),
            )}
          </span>
          <RelativeTime iso={notification.at} className="text-ink-faint" />
        </p>
        <h3 className={cx('mt-0.5 leading-snug text-pretty', !isRead && 'font-semibold')}>
          {/* A middle click opens it, too. */}
          <SiteLink
            href={notification.href}
            dir="auto"
            onClick={onOpen}
            onAuxClick={onOpen}
            className="text-ink underline-offset-4 hover:text-tea-strong hover:underline"
          >
            {title}
          </SiteLink>
        </h3>
        {excerpt && (
          <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
            {excerpt}
          </p>
        )}
        {hasRecourse(notification) && flags.enableDiscussions && (
          <p className="mt-1.5 text-sm">
            <a href="/my-discussions?tab=moderation" onClick={onOpen} className={linkClasses}>
              See what you can do
            </a>
          </p>
        )}
        <div className="mt-1 flex flex-wrap items-center gap-x-1">
          <button type="button" onClick={() => onMark(!isRead)} className={smallButton}>
            {isRead ? 'Mark as unread' : 'Mark as read'}
            {about}
          </button>
          {kind === 'alert' && flags.enableAlerts && (
            <a href="/alerts" className={smallButton}>
              Choose alerts
              {about}
            </a>
          )}
          {(kind === 'reply' || kind === 'mention' || kind === 'company-reply') && (
            <>
              <span
                role="status"
                className={cx(isMuted && 'px-2.5 text-[0.8125rem] text-ink-soft')}
              >
                {isMuted && 'Muted. No more news from this thread.'}
              </span>
              <button type="button" onClick={() => onMute(!isMuted)} className={smallButton}>
                {isMuted ? 'Undo' : 'Mute this thread'}
                {about}
              </button>
            </>
          )}
        </div>
      </div>
    </article>
  )
}

/** The thread or job if it's about one, or else the company. */
const titleOf = ({ kind, count, thread, job, company }: Notification) =>
  (kind === 'alert' && count > 1 ? undefined : (thread ?? job)?.title) ?? company?.name ?? ''

const smallButton = cx(
  'inline-flex h-10 items-center rounded-md px-2.5 text-[0.8125rem] font-medium text-ink-faint first:-ml-2.5 md:h-8',
  'transition-colors hover:bg-sunken hover:text-ink',
)

interface NotificationRowProps {
  notification: Notification
  /** Whether it was muted just now, in this list. */
  isMuted: boolean
  onMark: (isRead: boolean) => void
  onMute: (isMuted: boolean) => void
  onOpen: () => void
}
