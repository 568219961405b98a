/** Spec §2.10. The server decides who may open it. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, ChevronLeft, Mail, ShieldCheck } from 'lucide'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { RequestsButton } from '#app/companies/requests/ui/requests-button.tsx'
import { NeedsFactor } from '#app/kit/session/awaited-factor.ts'
import { AccountError } from '#app/kit/session/members-only.tsx'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Badge, CountBadge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { tabClasses } from '#app/kit/ui/class-names.ts'
import { abbreviate } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent, lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ModerationContract } from '#app/moderation/moderation.contract.ts'
import { queueQuery } from '#app/moderation/moderation.data.ts'
import type { ContactContract } from '../contact/contact.contract.ts'
import { unreadQuery } from '../contact/contact.data.ts'
import { unreadText } from '../contact/contact.ts'
import { ADMIN_PANEL, UNAUTHORIZED } from './administration.ts'
import {
  type Embedded,
  ENTRIES,
  type Entry,
  MORE,
  panelHref,
  panelItemOf,
  SECTIONS,
  type Section,
  TABS,
  type Tab,
} from './panel-items.ts'
import { SetUpList, StatCards, WaitingList } from './ui/panel-overview.tsx'

export default function AdminPanelScreen() {
  return (
    <>
      <PageHead title={ADMIN_PANEL.title} text={ADMIN_PANEL.subtitle} />
      <Gate />
    </>
  )
}

/** Spec §2.10, §8: others go to /, with a toast. Moderators go to their own page. */
function Gate() {
  const { status, me } = useSession()
  const isKnown = useIsKnown()
  const isAllowed = isKnown && (me?.can.includes('openAdminPanel') ?? false)
  const isUnclear = isKnown && status === 'signed-in' && !me
  const needsFactor = isKnown && me?.needsSecondFactor === true
  const isTurnedAway = isKnown && !isAllowed && !isUnclear && !needsFactor
  const isModerator = me?.can.includes('moderate') ?? false
  const wasAllowed = useRef(false)
  useEffect(() => {
    if (isAllowed) wasAllowed.current = true
    if (!isTurnedAway) return
    // Signing out here shows its own toast.
    if (!isModerator && (status !== 'signed-out' || !wasAllowed.current)) toast({ ...UNAUTHORIZED })
    navigate(isModerator ? '/admin/moderation' : '/', { replace: true })
  }, [isAllowed, isModerator, isTurnedAway, status])
  if (isAllowed) return <Panel />
  if (needsFactor) return <NeedsFactor />
  if (isUnclear) return <AccountError />
  return (
    <div className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        {ADMIN_PANEL.title}
      </h1>
      <p role="status" className="mt-6 text-ink-soft no-js:hidden">
        Loading…
      </p>
      <NeedsScripts className="mt-6">This page needs JavaScript.</NeedsScripts>
    </div>
  )
}

function Panel() {
  const { path, search } = useAddress()
  const { flags } = useSite()
  const { tab, section: named } = panelItemOf(search)
  const isOff =
    (named === 'edits' && !flags.enableCompanies) || (named === 'feeds' && !flags.enableJobs)
  const section = isOff ? undefined : named
  const isOwner = useSession().me?.role === 'owner'
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef(section)
  useEffect(() => {
    if (shown.current === section) return
    shown.current = section
    // The link that was followed is gone, and so is the focus.
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true })
  }, [section])
  return (
    <div className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
            {ADMIN_PANEL.title}
          </h1>
          <p className="mt-2 max-w-prose text-ink-soft">{ADMIN_PANEL.subtitle}</p>
        </div>
        <Badge tone="tea" icon={<Icon of={ShieldCheck} />} className="md:mt-4">
          {ADMIN_PANEL.badge}
        </Badge>
      </header>
      {/* An open section comes first, without the overview above it. */}
      {!section && (
        <>
          {isOwner && <SetUpList />}
          <WaitingList />
          <StatCards />
        </>
      )}
      <nav aria-label={ADMIN_PANEL.title} className="mt-10 border-b border-line">
        <ul className="-mb-px flex gap-5 overflow-x-auto sm:gap-7">
          {(Object.keys(TABS) as Tab[]).map((key) => (
            <li key={key} className="shrink-0">
              <a
                href={panelHref(path, key)}
                data-replace
                aria-current={tab === key ? (section ? 'true' : 'page') : undefined}
                className={tabClasses(tab === key)}
              >
                {TABS[key]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={content} tabIndex={-1} className="min-h-72 py-7 outline-none">
        {section ? <PanelSection key={section} section={section} /> : <PanelTab tab={tab} />}
      </div>
    </div>
  )
}

/** Each part loads when opened, because the panel has many. */
const CONTENT: Record<Section, ComponentType> = {
  users: section(() => import('./ui/user-management.tsx').then((it) => it.UserManagement)),
  claims: section(() =>
    import('#app/companies/claims/ui/claims-review.tsx').then((it) => it.ClaimsReview),
  ),
  data: section(() => import('./ui/data-management.tsx').then((it) => it.DataManagement)),
  log: section(() => import('./ui/admin-log.tsx').then((it) => it.AdminLog)),
  edits: section(() =>
    import('#app/companies/edits/ui/suggested-edits.tsx').then((it) => it.SuggestedEdits),
  ),
  feeds: section(() => import('#app/jobs/feeds/ui/job-feeds.tsx').then((it) => it.JobFeeds)),
}

function section(load: () => Promise<ComponentType>) {
  return lazyComponent(load, <Skeleton className="h-96 w-full rounded-xl" />)
}

function PanelSection({ section }: { section: Section }) {
  const { path } = useAddress()
  const { tab, title } = SECTIONS[section]
  const Content = CONTENT[section]
  return (
    <>
      <p className="text-sm">
        <a
          href={panelHref(path, tab)}
          className="-ml-1 inline-flex min-h-8 items-center gap-1 text-ink-soft transition-colors hover:text-ink"
        >
          <Icon of={ChevronLeft} className="size-4" />
          {TABS[tab]}
        </a>
      </p>
      {/* Suggested changes have their own heading, which takes the focus. */}
      {section !== 'edits' && (
        <h2 className="mt-1 font-serif text-2xl font-medium tracking-tight text-ink md:text-3xl">
          {title}
        </h2>
      )}
      <div className={section === 'edits' ? 'mt-1' : 'mt-4'}>
        <Content />
      </div>
    </>
  )
}

const Analytics = lazyComponent(
  () => import('#app/companies/tracking/ui/analytics.tsx').then((it) => it.Analytics),
  <Skeleton className="h-96 w-full rounded-xl" />,
)
const InboxDialog = lazyDialog(() => import('../contact/ui/inbox.tsx').then((it) => it.InboxDialog))

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
