/** Administrators' link to the inbox. Spec §2.9. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { CountBadge } from '#app/kit/ui/badge.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import type { ContactContract } from '../contact.contract.ts'
import { unreadQuery } from '../contact.data.ts'
import { unreadText } from '../contact.ts'

const InboxDialog = lazyDialog(() => import('./inbox.tsx').then((it) => it.InboxDialog))

export function InboxLink({ className }: { className: string }) {
  const api = useApi<ContactContract>()
  const { data } = useQuery(unreadQuery(api))
  const [isInboxOpen, setInboxOpen] = useState(false)
  const unread = data?.unread ?? 0
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        {...InboxDialog.preload}
        onClick={() => setInboxOpen(true)}
        className={className}
      >
        <span className="max-md:hidden">Contact Messages</span>
        <span className="md:hidden">Messages</span>
        {unread > 0 && (
          <CountBadge what="unread" className="ml-2">
            {unreadText(unread)}
          </CountBadge>
        )}
      </button>
      <InboxDialog open={isInboxOpen} onOpenChange={setInboxOpen} />
    </>
  )
}
