/** Visitors have notifications too. Spec §2.1. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { askToSignIn, useReader, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { EmptyState, NeedsScripts } from '#app/kit/ui/message.tsx'
import type { NotificationContract } from './notification.contract.ts'
import { notificationsQuery, unreadQuery } from './notification.data.ts'
import { shownUnread } from './notification.ts'
import { type Inbox, markAllRead } from './notification-actions.data.ts'
import { NotificationList, NotificationsSkeleton } from './ui/notification-list.tsx'

export default function NotificationsScreen() {
  const reader = useReader()
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <PageHead title="Notifications" text="News about your posts and the companies you follow." />
      {reader ? (
        <Notifications key={reader} reader={reader} />
      ) : (
        <>
          <h1 className={headingClasses}>Notifications</h1>
          {reader === null ? (
            <NoReader onLogIn={() => askToSignIn({ view: 'login', redirect: '/notifications' })} />
          ) : (
            <div className="mt-10">
              <NeedsScripts>Notifications need JavaScript.</NeedsScripts>
              <div className="no-js:hidden">
                <NotificationsSkeleton />
              </div>
            </div>
          )}
        </>
      )}
    </div>
  )
}

function Notifications({ reader }: { reader: string }) {
  const api = useApi<NotificationContract>()
  const queryClient = useQueryClient()
  const inbox = useMemo<Inbox>(() => ({ api, queryClient, reader }), [api, queryClient, reader])
  const list = useInfiniteQuery(notificationsQuery(api, reader))
  const notifications = list.data?.pages.flatMap((page) => page.notifications) ?? []
  // The bell requests it.
  const unread = useQuery({ ...unreadQuery(api, reader), enabled: false }).data?.unread
  useRefetchOfOthers(unread, notifications.filter(({ isRead }) => !isRead).length, list.refetch)
  const { status } = useSession()
  const { flags } = useSite()
  const hasMails = status === 'signed-in' && flags.enableSettings
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 className={headingClasses}>Notifications</h1>
          <p className="mt-2 flex min-h-6 flex-wrap gap-x-4 text-sm leading-6 text-ink-soft">
            {/* Always there, so changes are announced. It takes no space while it's empty. */}
            <span role="status" className="empty:-mr-4">
              {unread !== undefined &&
                notifications.length > 0 &&
                (unread > 0 ? `${shownUnread(unread)} unread` : 'All read')}
            </span>
            {hasMails && (
              <a href="/settings#digest" className={linkClasses}>
                Get news by email
              </a>
            )}
            {status === 'signed-out' && flags.enableDiscussions && (
              <a href="/my-discussions" className={linkClasses}>
                My discussions
              </a>
            )}
            {flags.enableAlerts && (
              <a href="/alerts" className={linkClasses}>
                Alerts
              </a>
            )}
          </p>
        </div>
        {(list.isPending || notifications.length > 0) && (
          <Button
            variant="secondary"
            // `disabled` would lose the focus.
            aria-disabled={!unread || undefined}
            onClick={() => {
              if (unread) markAllRead(inbox).catch(reportError('Couldn’t mark them as read'))
            }}
          >
            Mark all as read
          </Button>
        )}
      </div>
      {status === 'signed-out' && (
        <p className="mt-3 max-w-prose text-sm leading-6 text-ink-soft">
          Without an account, only this browser knows which posts and follows are yours, and shows
          you news about them. If you clear the browser’s data, all of that is gone.
        </p>
      )}
      <div className="mt-8">
        <NotificationList
          list={list}
          notifications={notifications}
          inbox={inbox}
          empty={<NoNotifications />}
        />
      </div>
    </>
  )
}

/** Refetches if the bell counts more than before, or fewer than the list, because some were deleted. */
function useRefetchOfOthers(unread: number | undefined, listed: number, refetch: () => void) {
  const before = useRef(unread)
  useEffect(() => {
    if (unread === before.current) return
    if (unread !== undefined && before.current !== undefined)
      if (unread > before.current || unread < listed) refetch()
    before.current = unread
  }, [unread, listed, refetch])
}

const headingClasses =
  'font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl'

function NoNotifications() {
  return (
    <EmptyState
      title="No news yet"
      text="Replies, mentions and news from companies you follow land here."
      action={<Browse />}
    />
  )
}

/** Shown to people who aren't logged in and wrote nothing in this browser. */
function NoReader({ onLogIn }: { onLogIn: () => void }) {
  return (
    <EmptyState
      className="mt-6"
      title="Nothing here yet"
      text="Write something in this browser or follow a company, and you’ll see its news here. You don’t need an account. If you have one, log in to see its news."
      action={
        <span className="flex flex-wrap justify-center gap-3">
          <Browse />
          <Button variant="secondary" onClick={onLogIn}>
            Log in
          </Button>
        </span>
      }
    />
  )
}

function Browse() {
  const { flags } = useSite()
  return flags.enableDiscussions ? (
    <a href="/discussions" className={buttonClasses('secondary')}>
      Browse discussions
    </a>
  ) : null
}
