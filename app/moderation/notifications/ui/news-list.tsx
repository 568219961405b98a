/** News by day, with its next page: what it says while it loads, is empty, or fails. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { muteThread } from '#app/community/discussions/discussion-actions.data.ts'
import { refusalOf, reportError } from '#app/kit/forms/refusal.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { type GrowingList, MoreButton } from '#app/kit/ui/more-button.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { Notification } from '../notification.contract.ts'
import { KEPT_DAYS } from '../notification.ts'
import { type Inbox, markRead } from '../notification-actions.data.ts'
import { byDay } from '../notification-text.ts'
import { NewsRow } from './news-row.tsx'

export function NewsList({ list, news, inbox, empty }: NewsListProps) {
  const [muted, mute] = useMuting(inbox)
  const isMuted = ({ thread }: Notification) =>
    thread !== null && (muted.get(thread.id) ?? thread.isMuted)
  if (list.isPending) return <NewsSkeleton />
  if (list.isError && news.length === 0)
    return <LoadError text={refusalOf(list.error)} onRetry={list.refetch} />
  if (news.length === 0) return empty
  return (
    <>
      {byDay(news, new Date()).map(({ name, items }) => (
        <section key={name} aria-label={name} className="mb-8">
          <h2 className="mb-2 text-sm font-semibold text-ink-soft">{name}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
            {items.map((item) => (
              <li key={item.id}>
                <NewsRow
                  news={item}
                  isMuted={isMuted(item)}
                  onMute={(isMuted) => item.thread && mute(item.thread.id, isMuted)}
                  onMark={(isRead) =>
                    markRead(inbox, item, isRead).catch(reportError('It stays as it was'))
                  }
                  // The person is on the way elsewhere: nothing to tell, and the next visit shows it.
                  onOpen={() => markRead(inbox, item, true).catch(() => {})}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <MoreButton list={list} />
      {!list.hasNextPage && (
        <p className="text-center text-sm text-ink-faint">{`News is kept for ${KEPT_DAYS} days.`}</p>
      )}
    </>
  )
}

/** What was muted, or no more, since the list was asked for. */
function useMuting({ queryClient, reader: who }: Inbox) {
  const api = useApi<DiscussionContract>()
  const [muted, setMuted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const show = (threadId: string, isMuted: boolean) =>
    setMuted((before) => new Map(before).set(threadId, isMuted))
  const mute = (threadId: string, isMuted: boolean) => {
    show(threadId, isMuted)
    muteThread({ api, queryClient, threadId, who }, isMuted).catch((error) => {
      show(threadId, !isMuted)
      reportError(isMuted ? 'It could not be muted' : 'It stays muted')(error)
    })
  }
  return [muted, mute] as const
}

export function NewsSkeleton() {
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

interface NewsListProps {
  list: GrowingList & Pick<UseInfiniteQueryResult, 'error' | 'isError' | 'isPending' | 'refetch'>
  /** Of all pages that are here. */
  news: Notification[]
  inbox: Inbox
  empty: ReactNode
}
