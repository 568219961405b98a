/** All discussions: hot, new, top or unanswered, by topic and company, searched. Spec §2.1. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide'
import { useApi } from '../../api/client.ts'
import { useSite } from '../../session/site.data.ts'
import { useAddress } from '../../ui/address.ts'
import { buttonLook } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/message.tsx'
import { plural } from '../../ui/number.ts'
import { CompanyRemovals } from '../reports/ui/company-removals.tsx'
import type { DiscussionContract, ThreadsPage } from './discussion.contract.ts'
import { feedHref, threadListAddress, threadListHref, threadListQuery } from './discussion.data.ts'
import { THREAD_SORTS, type ThreadSort } from './discussion.ts'
import { FeedLink } from './feeds/ui/feed-link.tsx'
import { topicsQuery } from './posts/own-posts.data.ts'
import { PeriodForm, SearchForm, TopicLinks } from './threads/ui/thread-filters.tsx'
import { ThreadList } from './threads/ui/thread-list.tsx'

const SORT_NAMES: Record<ThreadSort, string> = {
  hot: 'Hot',
  new: 'New',
  top: 'Top',
  unanswered: 'Unanswered',
}

export default function DiscussionsScreen() {
  const api = useApi<DiscussionContract>()
  const { siteName, siteUrl } = useSite()
  const address = threadListAddress(Object.fromEntries(new URLSearchParams(useAddress().search)))
  const { sort = 'hot', period, company, topic, search } = address
  const topics = useQuery(topicsQuery(api)).data ?? []
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
        content={`${heading} on ${siteName}: what people say about work where nobody can tell who said it.`}
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
        <a
          href={company ? `/create-thread?company=${company}` : '/create-thread'}
          className={buttonLook()}
        >
          <Icon of={Plus} />
          New thread
        </a>
      </div>

      <SearchForm key={search ?? ''} address={address} />
      <TopicLinks topics={topics} address={address} />
      {(search || company) && (
        <p className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          {search && (
            <>
              <span>
                Results for <strong className="font-semibold text-ink">“{search}”</strong>
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
        </p>
      )}

      <p role="status" className="sr-only">
        {search && page && foundText(page)}
      </p>
      <div className="mt-6 mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-b border-line">
        <nav aria-label="Order" className="min-w-0">
          <ul className="-mb-px flex gap-5 overflow-x-auto md:gap-6">
            {THREAD_SORTS.map((each) => (
              <li key={each}>
                <a
                  href={threadListHref({ ...address, after: undefined, sort: each })}
                  data-replace
                  aria-current={sort === each ? 'page' : undefined}
                  className={cx(
                    'inline-flex h-11 items-center border-b-2 text-[0.9375rem] font-medium transition-colors',
                    sort === each
                      ? 'border-tea text-ink'
                      : 'border-transparent text-ink-soft hover:border-line-strong hover:text-ink',
                  )}
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
            title={isFiltered ? 'No discussions found' : 'Nobody has said anything yet'}
            text={
              isFiltered
                ? 'Try other words, another topic, or a longer time.'
                : 'Start the first thread. Nobody learns who you are.'
            }
            action={
              isFiltered ? (
                <a href="/discussions" className={buttonLook('secondary')}>
                  Show all discussions
                </a>
              ) : (
                <a href="/create-thread" className={buttonLook('secondary')}>
                  Start a thread
                </a>
              )
            }
          />
        }
      />
      <div className="mt-8">
        <FeedLink of={`${heading} on ${siteName}`} href={feedHref(address)} />
      </div>
      <CompanyRemovals companyId={company} />
    </div>
  )
}

/** To those who do not see the list come. */
function foundText({ pinned, threads, next }: ThreadsPage) {
  const found = pinned.length + threads.length
  if (found === 0) return 'No discussions found'
  return next ? `The first ${plural(found, 'discussion')}` : plural(found, 'discussion')
}

const quietLink = 'underline decoration-line-strong underline-offset-4 hover:text-ink'
