/** Spec §2.10. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Mail } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { RequestsButton } from '#app/companies/requests/ui/requests-button.tsx'
import { useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { CountBadge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { abbreviate } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent, lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { ModerationContract } from '#app/moderation/moderation.contract.ts'
import { queueQuery } from '#app/moderation/moderation.data.ts'
import type { ContactContract } from '../../contact/contact.contract.ts'
import { unreadQuery } from '../../contact/contact.data.ts'
import { unreadText } from '../../contact/contact.ts'
import { type Embedded, ENTRIES, type Entry, MORE, type Tab } from '../panel-items.ts'

const Analytics = lazyComponent(
  () => import('#app/companies/tracking/ui/analytics.tsx').then((it) => it.Analytics),
  <Skeleton className="h-96 w-full rounded-xl" />,
)
const InboxDialog = lazyDialog(() =>
  import('../../contact/ui/inbox-dialog.tsx').then((it) => it.InboxDialog),
)

export function PanelTab({ tab }: { tab: Tab }) {
  const { flags } = useSite()
  const isThere = (entry: Entry | Embedded) => !('flag' in entry && entry.flag) || flags[entry.flag]
  const more = (MORE[tab] ?? []).filter(isThere)
  return (
    <>
      <EntryList entries={ENTRIES[tab].filter(isThere)} />
      {more.length > 0 && (
        <>
          <h2 className="mt-9 mb-3 text-sm font-semibold text-ink-soft">Also here</h2>
          <EntryList entries={more} />
        </>
      )}
      {tab === 'analytics' && (
        <div className="mt-10">
          <Analytics />
        </div>
      )}
    </>
  )
}

const EntryList = ({ entries }: { entries: (Entry | Embedded)[] }) => (
  <ul className="grid gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
    {entries.map((entry) => (
      <li key={entry.title} className="min-w-0">
        {'href' in entry ? <EntryLink entry={entry} /> : <EmbeddedEntry entry={entry} />}
      </li>
    ))}
  </ul>
)

function EntryLink({ entry: { title, text, href, isNew } }: { entry: Entry }) {
  return (
    <a
      href={href}
      {...(isNew && { target: '_blank', rel: 'noopener' })}
      className="group flex h-full items-start justify-between gap-3 rounded-xl border border-line bg-surface p-4 transition-colors hover:border-line-strong md:p-5"
    >
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2 font-medium text-ink">
          {title}
          {href === '/admin/moderation' && <OpenCases />}
        </span>
        <span className="mt-1 block text-sm leading-6 text-ink-soft">{text}</span>
      </span>
      {isNew && (
        <span className="mt-0.5 shrink-0 text-ink-faint transition-colors group-hover:text-tea">
          <Icon of={ArrowUpRight} className="size-[1.125rem]" />
          <span className="sr-only">(opens in a new tab)</span>
        </span>
      )}
    </a>
  )
}

function OpenCases() {
  const { data } = useInfiniteQuery(queueQuery(useApi<ModerationContract>(), 'open'))
  const open = data?.pages[0]?.counts.open
  return open ? <CountBadge what="waiting">{abbreviate(open)}</CountBadge> : null
}

/** Other rooms' controls, under the specification's names. */
function EmbeddedEntry({ entry: { title, text, embedded } }: { entry: Embedded }) {
  const { me } = useSession()
  const isOwners = embedded === 'requests'
  const mayDecide = me?.can.includes('manageCompanyRequests') ?? false
  return (
    <div className="flex h-full flex-col items-start gap-2 rounded-xl border border-line bg-surface p-4 md:p-5">
      {embedded === 'messages' && <MessagesButton />}
      {isOwners &&
        (mayDecide ? <RequestsButton /> : <p className="font-medium text-ink">{title}</p>)}
      <p className="text-sm leading-6 text-ink-soft">
        {isOwners && !mayDecide ? OWNER_DECIDES : text}
      </p>
    </div>
  )
}

/** Spec §6. */
const OWNER_DECIDES = 'Only the site’s owner can open these. OWNER_EMAIL sets who that is.'

function MessagesButton() {
  const { data } = useQuery(unreadQuery(useApi<ContactContract>()))
  const [isOpen, setOpen] = useState(false)
  const unread = data?.unread ?? 0
  return (
    <>
      <Button
        variant="secondary"
        icon={<Icon of={Mail} />}
        {...InboxDialog.preload}
        onClick={() => setOpen(true)}
      >
        Contact Messages
        {unread > 0 && <CountBadge what="unread">{unreadText(unread)}</CountBadge>}
      </Button>
      <InboxDialog open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
