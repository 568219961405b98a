/** What moderators look at: reported posts, appeals, and what was decided. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { NeedsFactor } from '#app/kit/session/halfway.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { CountBadge } from '#app/kit/ui/badge.tsx'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate } from '#app/kit/ui/format.ts'
import { tabLook } from '#app/kit/ui/looks.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import type { ModerationContract } from './moderation.contract.ts'
import { queueQuery } from './moderation.data.ts'
import { DecisionLog } from './ui/decision-log.tsx'
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
          <a href="/discussions" className={buttonLook('secondary')}>
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
        No one here can know what’s true. Look at what it does to people.
      </p>
      <nav aria-label="Moderation" className="mt-2 border-b border-line md:mt-8">
        <ul className="-mb-px flex gap-5 overflow-x-auto sm:gap-6">
          {TABS.map(({ key, name }) => (
            <li key={key}>
              <a
                href={key === 'queue' ? '/admin/moderation' : `/admin/moderation?tab=${key}`}
                data-replace
                aria-current={tab === key ? 'page' : undefined}
                className={cx(tabLook(tab === key), 'gap-2')}
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
