/** One piece of news: what happened, where, and what one can do with it. */

import {
  AtSign,
  BellRing,
  BriefcaseBusiness,
  Building2,
  type IconNode,
  MessageCircle,
  ShieldAlert,
} from 'lucide'
import { useSite } from '#app/kit/session/site.data.ts'
import { SiteLink } from '#app/kit/session/site-link.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import type { Notification } from '../notification.contract.ts'
import type { NotificationKind } from '../notification.ts'
import { hasRecourse, sentenceOf } from '../notification-text.ts'

const ICONS: Record<NotificationKind, IconNode> = {
  reply: MessageCircle,
  mention: AtSign,
  'company-reply': Building2,
  moderation: ShieldAlert,
  alert: BellRing,
}

export function NewsRow({ news, isMuted, onMark, onMute, onOpen }: NewsRowProps) {
  const { flags } = useSite()
  const { kind, excerpt, isRead } = news
  const title = titleOf(news)
  const about = <span className="sr-only">{` “${title}”`}</span>
  return (
    <article className={cx('flex gap-3 px-4 py-4 md:gap-4 md:px-5', !isRead && 'bg-tea-soft/35')}>
      <span
        className={cx(
          'relative mt-0.5 flex size-9 shrink-0 items-center justify-center rounded-full',
          isRead ? 'bg-sunken text-ink-faint' : 'bg-tea-soft text-tea-strong',
        )}
      >
        <Icon of={news.event === 'job' ? BriefcaseBusiness : ICONS[kind]} className="size-4" />
        {!isRead && (
          <span className="absolute top-0 right-0 size-2.5 rounded-full bg-tea ring-2 ring-surface">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="dotted text-sm leading-6 text-ink-soft">
          <span>
            {sentenceOf(news).map((piece, at) =>
              at % 2 === 1 ? (
                <strong key={piece} className="font-semibold text-ink">
                  {piece}
                </strong>
              ) : (
                piece
              ),
            )}
          </span>
          <RelativeTime iso={news.at} className="text-ink-faint" />
        </p>
        <h3 className={cx('mt-0.5 leading-snug text-pretty', !isRead && 'font-semibold')}>
          {/* A middle click opens it, too. */}
          <SiteLink
            href={news.href}
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
        {hasRecourse(news) && flags.enableDiscussions && (
          <p className="mt-1.5 text-sm">
            <a href="/my-discussions?tab=moderation" onClick={onOpen} className={linkLook}>
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
                {isMuted && 'Muted: no more news of this thread.'}
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

/** The thread or the job, where it is about one; else the company. */
const titleOf = ({ kind, count, thread, job, company }: Notification) =>
  (kind === 'alert' && count > 1 ? undefined : (thread ?? job)?.title) ?? company?.name ?? ''

const smallButton = cx(
  'inline-flex h-10 items-center rounded-md px-2.5 text-[0.8125rem] font-medium text-ink-faint first:-ml-2.5 md:h-8',
  'transition-colors hover:bg-sunken hover:text-ink',
)

interface NewsRowProps {
  news: Notification
  /** Just now, in this list. */
  isMuted: boolean
  onMark: (isRead: boolean) => void
  onMute: (isMuted: boolean) => void
  onOpen: () => void
}
