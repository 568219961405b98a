/** The company list, with search, filters and paging. Spec §2.1. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import {
  COMPANY_FILTERS,
  type CompanyListAddress,
  categoriesQuery,
  companyListAddress,
  companyListQuery,
} from '#app/companies/company.data.ts'
import {
  COMPARE_PARAM,
  type CompanySort,
  companySort,
  PICK_PARAM,
  referenceOf,
} from '#app/companies/company.ts'
import { useFollowed } from '#app/companies/following/follow-actions.data.ts'
import { CardFollowButton } from '#app/companies/following/ui/follow-button.tsx'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { useSeesViewCounts, ViewCount } from '#app/companies/tracking/ui/view-counts.ts'
import { CompanyCard } from '#app/companies/ui/company-card.tsx'
import { SEARCH_TEXTS } from '#app/companies/ui/suggestions.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { CategoryField, CategoryLinks, CompanyFilters } from './ui/company-filters.tsx'
import { CompanySearch } from './ui/company-search.tsx'
import { PickBar, PickToggle, usePicks } from './ui/compare-picks.tsx'
import { Comparison } from './ui/compare-table.tsx'

const AddCompany = lazyComponent(() => import('./ui/add-company.tsx').then((it) => it.AddCompany))

const SORT_NAMES: Record<CompanySort, string> = {
  'best-match': 'Best match',
  trending: 'Trending',
  newest: 'Newest',
  'highest-rated': 'Highest rated',
  'most-discussed': 'Most discussed',
  'a-z': 'A–Z',
}

/** Leaves out "best match" without a search. */
const sortNames = (isSearch: boolean, { enableDiscussions }: SiteConfig['flags']) =>
  Object.fromEntries(
    Object.entries(SORT_NAMES).filter(
      ([sort]) =>
        (sort !== 'best-match' || isSearch) && (sort !== 'most-discussed' || enableDiscussions),
    ),
  )

const trendingMeans = ({ enableDiscussions }: SiteConfig['flags']) =>
  `Trending: most viewed first. Ties are broken by ${enableDiscussions ? 'recent comments, then discussions, then ' : ''}published ratings.`

export default function CompaniesScreen() {
  const compared = new URLSearchParams(useAddress().search).get(COMPARE_PARAM)
  return compared ? <Comparison text={compared} /> : <CompanyList />
}

function CompanyList() {
  const api = useApi<CompanyContract>()
  const { siteName, siteUrl, flags } = useSite()
  const address = companyListAddress(Object.fromEntries(new URLSearchParams(useAddress().search)))
  const { search, category } = address
  const sort = companySort(address)
  const list = useInfiniteQuery(companyListQuery(api, address))
  const categories = useQuery(categoriesQuery(api)).data?.categories ?? []
  const pages = list.data?.pages ?? []
  const companies = pages.flatMap((page) => page.companies)
  const picks = usePicks()
  const follows = useFollowed({ isWanted: flags.enableAlerts })
  const seesViews = useSeesViewCounts()
  const mayAdd = useSession().me?.can.includes('addCompany') ?? false
  const [isRequestOpen, setRequestOpen] = useState(false)
  const heading = category ? `Companies in ${category}` : 'Companies'
  const isEmpty = list.isSuccess && companies.length === 0
  const isNarrow = COMPANY_FILTERS.some((filter) => address[filter])
  const isListed = !search && !isNarrow && !address.after && !(category && isEmpty)
  const go = (change: CompanyListAddress) =>
    navigate(listHref({ ...address, after: undefined, ...change }, picks))

  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <title>{`${heading} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${heading} on ${siteName}: ratings of return-to-office policy, diversity, work-life balance and culture, and what people say about working there.`}
      />
      {isListed ? (
        <link rel="canonical" href={siteUrl + listHref({ category })} />
      ) : (
        <meta name="robots" content="noindex, follow" />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="font-serif text-4xl font-medium tracking-tight md:text-5xl">{heading}</h1>
        {mayAdd && <AddCompany />}
      </div>
      <CompanySearch text={search ?? ''} className="mt-6 max-w-2xl" />

      <div className="mt-8 gap-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
        <CategoryLinks
          categories={categories}
          current={category}
          hrefOf={(category) => listHref({ ...address, after: undefined, category }, picks)}
        />
        <section aria-label="Results" className="min-w-0">
          <form
            action="/companies"
            className="mb-5 flex flex-wrap items-end gap-x-4 gap-y-3 border-b border-line pb-5"
          >
            {search && <input type="hidden" name="search" value={search} />}
            <p
              className="w-full text-sm text-ink-soft md:mr-auto md:w-auto md:pb-2"
              aria-live="polite"
            >
              {pages[0] && (
                <>
                  <strong className="font-semibold text-ink tabular-nums">
                    {countText(pages[0])}
                  </strong>
                  {search && (
                    <>
                      <span className="mr-4">{` for “${search}”`}</span>
                      <a
                        href={listHref({ ...address, after: undefined, search: undefined }, picks)}
                        className={quietLink}
                      >
                        Clear search
                      </a>
                    </>
                  )}
                </>
              )}
            </p>
            <div className="min-w-0 flex-1 lg:hidden">
              <CategoryField categories={categories} address={address} go={go} />
            </div>
            <div className="min-w-0 flex-1 md:w-44 md:flex-none">
              <Select
                label="Sort by"
                name="sort"
                value={sort}
                onChange={(event) => go({ sort: event.target.value as CompanySort })}
              >
                <Options names={sortNames(search !== undefined, flags)} />
              </Select>
            </div>
            <Button type="submit" variant="secondary" className="js:hidden">
              Show
            </Button>
            <CompanyFilters address={address} go={go} />
            {sort === 'trending' && (
              <p className="w-full text-[0.8125rem] text-ink-faint">{trendingMeans(flags)}</p>
            )}
          </form>

          {list.isPending && (
            <Loading label="Loading companies..." times={9} className={gridClasses}>
              <SkeletonCard className="h-50 md:h-58" />
            </Loading>
          )}
          {list.isError && companies.length === 0 && (
            <LoadError text={errorSentence(list.error)} onRetry={list.refetch} />
          )}
          {list.isSuccess && companies.length === 0 && (
            <EmptyState
              title="No companies found matching your search."
              text={
                isNarrow
                  ? 'Try fewer filters, other words, or another category.'
                  : 'Try fewer letters, another spelling, or another category.'
              }
              action={
                <div className="flex flex-wrap justify-center gap-3">
                  {mayAdd && search ? (
                    <AddCompany missing={search} />
                  ) : (
                    <Button
                      className="no-js:hidden"
                      {...RequestDialog.preload}
                      onClick={() => setRequestOpen(true)}
                    >
                      {SEARCH_TEXTS.request}
                    </Button>
                  )}
                  <a href="/companies" className={buttonClasses('secondary')}>
                    Show all companies
                  </a>
                </div>
              }
            />
          )}
          <ul className={gridClasses}>
            {pages.flatMap((page) =>
              page.companies.map((company) => (
                <li key={company.id} className="flex min-w-0">
                  <CompanyCard
                    company={company}
                    variant="list"
                    heading="h2"
                    className="w-full"
                    extra={seesViews && <ViewCount companyId={company.id} among={page.companies} />}
                  >
                    <div className="flex min-h-9 items-start justify-between gap-3 no-js:hidden">
                      <PickToggle
                        name={company.name}
                        reference={referenceOf(company)}
                        picks={picks}
                      />
                      {flags.enableAlerts && (
                        <CardFollowButton company={company} follows={follows} />
                      )}
                    </div>
                  </CompanyCard>
                </li>
              )),
            )}
          </ul>
          <NextPage
            href={listHref({ ...address, after: pages.at(-1)?.next ?? undefined })}
            hasNext={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            hasFailed={list.isFetchNextPageError}
            onWanted={() => list.fetchNextPage()}
          />
          <PickBar picks={picks} />
          <RequestDialog open={isRequestOpen} onOpenChange={setRequestOpen} companyName={search} />
        </section>
      </div>
    </div>
  )
}

/** The list's URL, without defaults. A changed filter starts at the first page. */
function listHref(
  { search, category, sort, after, ...filters }: CompanyListAddress,
  picks: readonly string[] = [],
) {
  const query = new URLSearchParams()
  if (search) query.set('search', search)
  if (category) query.set('category', category)
  for (const filter of COMPANY_FILTERS) if (filters[filter]) query.set(filter, filters[filter])
  if (sort && sort !== companySort({ search })) query.set('sort', sort)
  if (after) query.set('after', after)
  if (picks.length > 0) query.set(PICK_PARAM, picks.join(','))
  return query.size > 0 ? `/companies?${query}` : '/companies'
}

function countText({ total, totalIsExact }: { total: number; totalIsExact: boolean }) {
  const number = grouped(total)
  if (!totalIsExact) return `More than ${number} companies`
  return total === 1 ? '1 company' : `${number} companies`
}

interface NextPageProps {
  href: string
  hasNext: boolean
  isLoading: boolean
  hasFailed: boolean
  onWanted: () => void
}

/** Without JavaScript, this is a plain link. With it, the next page loads near the end of the list. */
function NextPage({ href, hasNext, isLoading, hasFailed, onWanted }: NextPageProps) {
  const marker = useRef<HTMLDivElement>(null)
  const load = useRef(onWanted)
  load.current = onWanted
  const isWaiting = hasNext && !isLoading && !hasFailed
  useEffect(() => {
    if (!isWaiting || !marker.current) return
    const observer = new IntersectionObserver(
      // On a busy page, several entries arrive at once, oldest first. Only the last one counts.
      (entries) => entries.at(-1)?.isIntersecting && load.current(),
      { rootMargin: '600px' },
    )
    observer.observe(marker.current)
    return () => observer.disconnect()
  }, [isWaiting])
  if (!hasNext) return null
  return (
    <div ref={marker} className="mt-8 flex min-h-11 justify-center">
      {hasFailed ? (
        <Button variant="secondary" onClick={onWanted}>
          Couldn’t load more. Try again
        </Button>
      ) : isLoading ? (
        <p role="status" className="text-sm text-ink-faint">
          Loading companies...
        </p>
      ) : (
        <a
          href={href}
          className={buttonClasses('secondary')}
          onClick={(event) => {
            event.preventDefault()
            onWanted()
          }}
        >
          Next
        </a>
      )}
    </div>
  )
}

const gridClasses = 'grid gap-3 sm:grid-cols-2 md:gap-4 xl:grid-cols-3'
const quietLink = 'underline decoration-line-strong underline-offset-4 hover:text-ink'
