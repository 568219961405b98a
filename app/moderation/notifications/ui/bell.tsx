/** Links to notifications, with the number of unread ones. The bell loads once you can have notifications. */
import { useQuery } from '@tanstack/react-query'
import { Bell as BellShape } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { IconCount } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { NotificationContract } from '../notification.contract.ts'
import { watchedUnreadQuery } from '../notification.data.ts'
import { shownUnread } from '../notification.ts'

/** @param reader whose news they are */
export function Bell({ reader }: { reader: string }) {
  const api = useApi<NotificationContract>()
  const { path } = useAddress()
  const { data } = useQuery(watchedUnreadQuery(api, reader))
  const unread = data?.unread ?? 0
  const isHere = path === '/notifications'
  return (
    <>
      <a
        href="/notifications"
        aria-label={unread > 0 ? `Notifications, ${shownUnread(unread)} unread` : 'Notifications'}
        aria-current={isHere ? 'page' : undefined}
        data-tooltip="Notifications"
        className={cx(
          'relative inline-flex size-10 items-center justify-center rounded-md transition-colors',
          isHere ? 'bg-tea-soft text-tea-strong' : 'text-ink-soft hover:bg-sunken hover:text-ink',
        )}
      >
        <Icon of={BellShape} className="size-[1.125rem]" />
        {unread > 0 && <IconCount>{shownUnread(unread)}</IconCount>}
      </a>
      <Arrivals key={reader} unread={data?.unread} />
    </>
  )
}

/** Tells screen readers only about new notifications. */
function Arrivals({ unread }: { unread: number | undefined }) {
  const before = useRef(unread)
  const [news, setNews] = useState('')
  useEffect(() => {
    if (unread === before.current) return
    const isMore = unread !== undefined && before.current !== undefined && unread > before.current
    before.current = unread
    setNews(isMore ? `${shownUnread(unread)} unread notifications` : '')
  }, [unread])
  return (
    <span role="status" className="sr-only">
      {news}
    </span>
  )
}
