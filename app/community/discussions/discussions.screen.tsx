/** Spec §2.1. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Star } from 'lucide'
import { type ReactNode, useEffect } from 'react'
import { useApi } from '#app/api/client.ts'
import { badgeShows } from '#app/companies/badges/badge.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { tabClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { useStored } from '#app/kit/ui/stored-value.ts'
import { CompanyRemovals } from '../reports/ui/company-removals.tsx'
import type { DiscussionContract, ThreadsPage, Topic } from './discussion.contract.ts'
import {
  feedHref,
  type ThreadListAddress,
  threadListAddress,
  threadListHref,
  threadListQuery,
  topicsQuery,
} from './discussion.data.ts'
import { SEARCH_SORTS, type SearchSort, THREAD_SORTS, usualThreadSort } from './discussion.ts'
import {
  listChoices,
  NO_CHOICES,
  NOTHING_READ,
  readThreads,
  toggled,
  toggledNamed,
  visited,
} from './lists/lists.data.ts'
import { PeriodForm, SearchForm, TopicLinks } from './threads/ui/thread-filters.tsx'
import { FeedLink, ThreadList } from './threads/ui/thread-list.tsx'

const SORT_NAMES: Record<SearchSort, string> = {
  relevance: 'Best match',
  hot: 'Hot',
  new: 'New',
  top: 'Top',
  unanswered: 'Unanswered',
}

export default function DiscussionsScreen() {
  const api = useApi<DiscussionContract>()
  const { siteName, siteUrl, flags, badgeHoldersMin } = useSite()
  const address = threadListAddress(Object.fromEntries(new URLSearchParams(useAddress().search)))
  const { period, company, topic, search, sort = usualThreadSort(search) } = address
  const { followed } = useStored(listChoices)
  const topics = withFirst(useQuery(topicsQuery(api)).data ?? [], followed)
  useEffect(() => readThreads.change((read) => visited(read, new Date())), [])
  const page = useInfiniteQuery(threadListQuery(api, address)).data?.pages[0]
  const first = page?.pinned[0] ?? page?.threads[0]
  const topicName = topics.find(({ slug }) => slug === topic)?.name
  const about = company && (first?.company?.name ?? 'one company')
  const heading = about ? `Discussions about ${about}` : (topicName ?? 'Discussions')
  const isFiltered = Boolean(search || topic || company)
  const isListed = !search && !address.after && !(isFiltered && page && !first)

  return (
    <div className="mx-auto w-full max-w-4xl px-5 py-8 md:py-12">
      <title>{`${heading === topicName ? `${topicName}: discussions` : heading} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${heading} on ${siteName}: what people say about work when no one can tell who said it.`}
      />
      {isListed ? (
        <link rel="canonical" href={siteUrl + threadListHref({ topic, company })} />
      ) : (
        <meta name="robots" content="noindex, follow" />
      )}

      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="min-w-0 font-serif text-4xl font-medium tracking-tight text-balance md:text-5xl">
          {heading}
        </h1>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          {topic && topicName && (
            <FollowTopic slug={topic} name={topicName} isFollowed={followed.includes(topic)} />
          )}
          {/* Visitors have no menu that leads to these pages. */}
          <a href="/my-discussions" className={quietLink}>
            My discussions
          </a>
          <a
            href={company ? `/create-thread?company=${company}` : '/create-thread'}
            className={buttonClasses()}
          >
            <Icon of={Plus} />
            Create thread
          </a>
        </div>
      </div>

      <SearchForm key={search ?? ''} address={address} />
      <TopicLinks topics={topics} address={address} />
      {(search || company || address.verified) && (
        <p className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          {search && (
            <>
              <span className="min-w-0 wrap-anywhere">
                {page ? countText(page.found) : 'Results'} for{' '}
                <strong className="font-semibold text-ink">“{page?.found?.meant ?? search}”</strong>
                {page?.found?.meant && `. Nothing matches “${search}”`}
              </span>
              <a
                href={threadListHref({ ...address, after: undefined, search: undefined })}
                className={quietLink}
              >
                Clear search
              </a>
            </>
          )}
          {company && (
            <a
              href={threadListHref({ ...address, after: undefined, company: undefined })}
              className={quietLink}
            >
              Show all companies
            </a>
          )}
          {address.verified && (
            <a
              href={threadListHref({ ...address, after: undefined, verified: undefined })}
              className={quietLink}
            >
              Include posts without a badge
            </a>
          )}
        </p>
      )}

      <p role="status" className="sr-only">
        {search && page && countText(page.found)}
      </p>
      <div className="mt-6 mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-b border-line">
        <nav aria-label="Order" className="min-w-0">
          <ul className="-mb-px flex gap-5 overflow-x-auto md:gap-6">
            {(search ? SEARCH_SORTS : THREAD_SORTS).map((each) => (
              <li key={each}>
                <a
                  href={threadListHref({ ...address, after: undefined, sort: each })}
                  data-replace
                  aria-current={sort === each ? 'page' : undefined}
                  className={tabClasses(sort === each)}
                >
                  {SORT_NAMES[each]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {sort === 'top' && <PeriodForm address={address} period={period ?? 'week'} />}
      </div>

      <ThreadList
        address={address}
        showsCompany={!company}
        empty={
          <EmptyState
            title={isFiltered || address.verified ? 'No discussions found' : 'No posts yet'}
            {...emptyWords(address, badgeHoldersMin)}
          />
        }
      />
      <div className="mt-8">
        {(!company || flags.enableCompanies) && (
          <FeedLink of={`${heading} on ${siteName}`} href={feedHref(address)} />
        )}
      </div>
      <LeftOut />
      <CompanyRemovals companyId={company} />
    </div>
  )
}

const withFirst = (topics: Topic[], followed: string[]) => [
  ...topics.filter(({ slug }) => followed.includes(slug)),
  ...topics.filter(({ slug }) => !followed.includes(slug)),
]

const FollowTopic = ({
  slug,
  name,
  isFollowed,
}: {
  slug: string
  name: string
  isFollowed: boolean
}) => (
  <Button
    variant="secondary"
    aria-pressed={isFollowed}
    className="no-js:hidden"
    icon={<Icon of={Star} className={cx(isFollowed && 'fill-current text-tea')} />}
    onClick={() => listChoices.change((choices) => toggled(choices, 'followed', slug))}
  >
    {isFollowed ? 'Following' : 'Follow'}
    <span className="sr-only">{` ${name}`}</span>
  </Button>
)

/** What may help if nothing was found. */
function emptyWords(
  { search, company, topic, verified, sort }: ThreadListAddress,
  badgeHoldersMin: number | undefined,
) {
  const isNarrow = company || topic || verified || sort === 'top' || sort === 'unanswered'
  const [text, href, label] = search
    ? isNarrow
      ? [
          'Try other words, or search all discussions.',
          threadListHref({ search }),
          'Search all discussions',
        ]
      : ['Try fewer or other words, or start a thread about it.', '/create-thread', 'Create thread']
    : verified
      ? [
          `${badgeShows(badgeHoldersMin)}. Until then, try all discussions.`,
          '/discussions',
          'Show all discussions',
        ]
      : company || topic
        ? ['Try another topic, or a longer time.', '/discussions', 'Show all discussions']
        : [
            'Start the first thread. No one will find out who you are.',
            '/create-thread',
            'Create thread',
          ]
  return {
    text,
    action: (
      <a href={href} className={buttonClasses('secondary')}>
        {label}
      </a>
    ),
  }
}

function countText(found: ThreadsPage['found']) {
  if (!found?.total) return 'No discussions'
  if (found.total === 1 && found.totalIsExact) return '1 discussion'
  return `${grouped(found.total)}${found.totalIsExact ? '' : '+'} discussions`
}

const quietLink = 'underline decoration-line-strong underline-offset-4 hover:text-ink'

/** Threads hidden in this browser, and how to show them again. People rarely need this. */
function LeftOut() {
  const { hidden, companies, topics } = useStored(listChoices)
  const hasRead = useStored(readThreads).comments.length > 0
  return (
    <details className="mt-6 text-sm no-js:hidden">
      <summary className="inline-flex min-h-10 items-center text-ink-faint hover:text-ink">
        What you’ve hidden, muted and read
      </summary>
      <div className="mt-1 grid max-w-xl gap-3 text-ink-soft">
        <p>We never see this. It stays in this browser.</p>
        {(['companies', 'topics'] as const).map((of) =>
          (of === 'companies' ? companies : topics).map((named) => (
            <Line
              key={named.key}
              label="Unmute"
              what={named.name}
              onPress={() => listChoices.change((it) => toggledNamed(it, of, named))}
            >
              {`${named.name} is muted.`}
            </Line>
          )),
        )}
        {hidden.length > 0 && (
          <Line
            label="Show again"
            what="the threads you’ve hidden"
            onPress={() => listChoices.change((it) => ({ ...it, hidden: NO_CHOICES.hidden }))}
          >
            {`${plural(hidden.length, 'thread')} hidden.`}
          </Line>
        )}
        {hasRead && (
          <Line
            label="Forget"
            what="which threads you’ve read"
            onPress={() => readThreads.change(() => NOTHING_READ)}
          >
            Threads you’ve read are marked.
          </Line>
        )}
      </div>
    </details>
  )
}

interface LineProps {
  label: string
  what: string
  onPress: () => void
  children: ReactNode
}

const Line = ({ label, what, onPress, children }: LineProps) => (
  <p className="flex flex-wrap items-center justify-between gap-x-4">
    <span dir="auto" className="min-w-0">
      {children}
    </span>
    <Button variant="link" size="sm" onClick={onPress}>
      {label}
      <span className="sr-only">{` ${what}`}</span>
    </Button>
  </p>
)
