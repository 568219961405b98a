/** Visitors have this page, too, in their browser. Spec §2.1. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type {
  DiscussionContract,
  ThreadRow,
} from '#app/community/discussions/discussion.contract.ts'
import {
  myCommentsQuery,
  mySavedQuery,
  myThreadsQuery,
} from '#app/community/discussions/discussion.data.ts'
import { Drafts } from '#app/community/discussions/posts/ui/drafts.tsx'
import type { ReportContract } from '#app/community/reports/report.contract.ts'
import { myModerationQuery } from '#app/community/reports/report.data.ts'
import { OwnModeration } from '#app/community/reports/ui/own-moderation.tsx'
import { OfThisBrowser } from '#app/identity/accounts/visitor/ui/of-this-browser.tsx'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, SiteLink, useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { tabClasses } from '#app/kit/ui/class-names.ts'
import { plural } from '#app/kit/ui/format.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, NeedsScripts } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { textOfHtml } from '#app/kit/ui/trusted.ts'

const MyRatings = lazyComponent(() =>
  import('#app/ratings/ui/my-ratings.tsx').then((it) => it.MyRatings),
)

const MyBenefits = lazyComponent(() =>
  import('#app/ratings/benefits/ui/own-benefits.tsx').then((it) => it.MyBenefits),
)

const MyPay = lazyComponent(() => import('#app/ratings/pay/ui/own-pay.tsx').then((it) => it.MyPay))

const MyInterviews = lazyComponent(() =>
  import('#app/ratings/interviews/ui/own-interviews.tsx').then((it) => it.MyInterviews),
)

/** These tabs are only for members, because only they can rate. */
const RATINGS = 'ratings'
const PAY = 'pay'
const INTERVIEWS = 'interviews'
const BENEFITS = 'benefits'
/** Shown if there's something in it, or the address asks for it. */
const MODERATION = 'moderation'

const TABS: { key: string; name: string; render: () => ReactNode }[] = [
  {
    key: 'threads',
    name: 'Threads',
    render: () => (
      <Threads
        queryOf={myThreadsQuery}
        actOf={(thread) => (
          <a href={`/edit-thread/${thread.id}`} className={quietLink}>
            Edit<span className="sr-only">{` “${thread.title}”`}</span>
          </a>
        )}
        empty={
          <EmptyState
            title="You haven’t started a thread yet"
            text="Your threads show up here, and only you can see this list."
            action={
              <a href="/create-thread" className={buttonClasses()}>
                Create thread
              </a>
            }
          />
        }
      />
    ),
  },
  {
    key: 'comments',
    name: 'Comments',
    render: () => (
      <MyComments
        empty={
          <EmptyState
            title="You haven’t commented yet"
            text="Your comments show up here, and only you can see this list."
            action={browse}
          />
        }
      />
    ),
  },
  {
    key: 'saved',
    name: 'Saved',
    render: () => (
      <Threads
        queryOf={mySavedQuery}
        empty={
          <EmptyState
            title="Nothing saved yet"
            text="Save a thread to find it here again. No one else knows."
            action={browse}
          />
        }
      />
    ),
  },
  {
    key: 'drafts',
    name: 'Drafts',
    render: () => (
      <Drafts
        empty={
          <EmptyState
            title="No drafts"
            text="What you start writing stays in this browser until you post or save it."
          />
        }
      />
    ),
  },
  { key: RATINGS, name: 'My ratings', render: () => <MyRatings /> },
  { key: PAY, name: 'My pay', render: () => <MyPay /> },
  { key: INTERVIEWS, name: 'My interviews', render: () => <MyInterviews /> },
  { key: BENEFITS, name: 'My benefits', render: () => <MyBenefits /> },
  { key: MODERATION, name: 'Moderation', render: () => <OwnModeration /> },
]

const browse = (
  <a href="/discussions" className={buttonClasses('secondary')}>
    Browse discussions
  </a>
)

export default function MyDiscussionsScreen() {
  const { search } = useAddress()
  // The server's page is the same for every tab, because only the browser can load them.
  const [tab, setTab] = useState<(typeof TABS)[number]>()
  useEffect(() => {
    const wanted = new URLSearchParams(search).get('tab')
    setTab(TABS.find(({ key }) => key === wanted) ?? TABS[0])
  }, [search])
  const { status, me } = useSession()
  const isModerated = useIsModerated()
  const { flags } = useSite()
  const isRating = flags.enableCompanies && status === 'signed-in' && me?.role !== 'employer'
  const tabs = TABS.filter(
    ({ key }) =>
      (key !== MODERATION || isModerated || tab?.key === key) &&
      (![RATINGS, PAY, INTERVIEWS, BENEFITS].includes(key) || isRating),
  )
  const list = useRef<HTMLUListElement>(null)
  const isHere = tabs.some(({ key }) => key === tab?.key)
  // On a phone, the last tabs are beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another tab is current
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab, isHere])
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <PageHead title="My discussions" text="Your posts, saved threads and drafts." />
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        My discussions
      </h1>
      {status === 'signed-out' && <OfThisBrowser what="write" />}
      <nav aria-label="My discussions" className="mt-8 border-b border-line">
        <ul ref={list} className="-mb-px flex gap-4 overflow-x-auto sm:gap-6">
          {tabs.map(({ key, name }) => (
            <li key={key}>
              <a
                href={key === 'threads' ? '/my-discussions' : `/my-discussions?tab=${key}`}
                data-replace
                aria-current={tab?.key === key ? 'page' : undefined}
                className={tabClasses(tab?.key === key, 'text-sm sm:text-[0.9375rem]')}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-h-64 py-6">
        <NeedsScripts>These lists need JavaScript.</NeedsScripts>
        {tabs.find(({ key }) => key === tab?.key)?.render()}
      </div>
    </div>
  )
}

function useIsModerated() {
  const api = useApi<ReportContract>()
  const { data } = useQuery({ ...myModerationQuery(api), enabled: useIsKnown() })
  return data !== undefined && (data.posts.length > 0 || data.suspension !== null)
}

function Threads({ queryOf, empty, actOf }: ThreadsProps) {
  const api = useApi<DiscussionContract>()
  const query = useInfiniteQuery({ ...queryOf(api), enabled: useIsKnown() })
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? []
  return (
    <PagedList
      query={query}
      items={threads}
      empty={empty}
      render={(thread) => <ThreadLine thread={thread}>{actOf?.(thread)}</ThreadLine>}
    />
  )
}

interface ThreadsProps {
  empty: ReactNode
  queryOf: typeof myThreadsQuery | typeof mySavedQuery
  actOf?: (thread: ThreadRow) => ReactNode
}

function MyComments({ empty }: { empty: ReactNode }) {
  const api = useApi<DiscussionContract>()
  const query = useInfiniteQuery({ ...myCommentsQuery(api), enabled: useIsKnown() })
  const comments = query.data?.pages.flatMap((page) => page.comments) ?? []
  return (
    <PagedList
      query={query}
      items={comments}
      empty={empty}
      render={({ id, html, postedAt, score, thread }) => (
        <article>
          <a href={`${thread.path}#comment-${id}`} dir="auto" className={titleLink}>
            {thread.title}
          </a>
          <p dir="auto" className="mt-1 line-clamp-3 text-sm leading-6 text-ink-soft">
            {textOfHtml(html)}
          </p>
          <p className={factsClasses}>
            <RelativeTime iso={postedAt} />
            <span>{plural(score, 'point')}</span>
          </p>
        </article>
      )}
    />
  )
}

function ThreadLine({ thread, children }: { thread: ThreadRow; children?: ReactNode }) {
  return (
    <article>
      <a href={thread.path} dir="auto" className={titleLink}>
        {thread.title}
      </a>
      {thread.excerpt && (
        <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
          {thread.excerpt}
        </p>
      )}
      <p className={factsClasses}>
        {thread.company && (
          <SiteLink href={thread.company.path} className={quietLink}>
            {thread.company.name}
          </SiteLink>
        )}
        <RelativeTime iso={thread.postedAt} />
        <span>{plural(thread.score, 'point')}</span>
        <span>{plural(thread.comments, 'comment')}</span>
        {children}
      </p>
    </article>
  )
}

const titleLink =
  'block font-serif text-xl leading-7 font-medium text-pretty text-ink underline-offset-4 hover:underline'
const quietLink =
  'underline decoration-line-strong underline-offset-4 hover:text-ink hover:decoration-ink-soft'
const factsClasses = 'mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-faint'
