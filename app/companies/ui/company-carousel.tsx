/** Spec §2.5, §9. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Carousel } from '#app/kit/ui/carousel.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { EmptyState, ErrorState } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CompanyContract, CompanyView } from '../company.contract.ts'
import { highestRatedQuery, recentQuery, SLIDE_CARDS, trendingQuery } from '../company.data.ts'
import { CompanyCard } from './company-card.tsx'

export const CAROUSEL_TEXTS = {
  trending: 'Trending Companies',
  recent: 'Recently Added Companies',
  highestRated: 'Highest Rated Companies',
  empty: 'No companies to display',
  loading: 'Loading companies...',
  failed: 'Something went wrong',
  failedText: "We're having trouble loading the content. Please try refreshing the page.",
  refresh: 'Refresh Page',
} as const

export const ROTATION_MS = 10_000
/** How many of SLIDE_CARDS a phone shows. Spec §9. */
export const PHONE_CARDS = 6

export function CompanyCarousel() {
  const api = useApi<CompanyContract>()
  const lists = [
    useQuery(trendingQuery(api)),
    useQuery(recentQuery(api)),
    useQuery(highestRatedQuery(api)),
  ]
  if (lists.some((list) => list.isError))
    return (
      <ErrorState
        title={CAROUSEL_TEXTS.failed}
        text={CAROUSEL_TEXTS.failedText}
        action={<Button onClick={() => window.location.reload()}>{CAROUSEL_TEXTS.refresh}</Button>}
      />
    )
  if (lists.some((list) => list.isPending)) return <CardSkeletons />
  const [trending, recent, highestRated] = lists.map(companiesIn)
  return (
    <Carousel
      label="Companies"
      intervalMs={ROTATION_MS}
      slides={[
        {
          key: 'trending',
          title: CAROUSEL_TEXTS.trending,
          content: <Cards companies={trending} />,
        },
        { key: 'recent', title: CAROUSEL_TEXTS.recent, content: <Cards companies={recent} /> },
        {
          key: 'highest-rated',
          title: CAROUSEL_TEXTS.highestRated,
          content: <Cards companies={highestRated} />,
        },
      ]}
    />
  )
}

const companiesIn = (list: UseQueryResult<{ companies: CompanyView[] }>) =>
  list.data?.companies ?? []

function Cards({ companies = [] }: { companies?: CompanyView[] }) {
  if (companies.length === 0) return <EmptyState title={CAROUSEL_TEXTS.empty} />
  return (
    <ul className={gridClasses}>
      {companies.slice(0, SLIDE_CARDS).map((company, i) => (
        <li key={company.id} className={cx('flex min-w-0', i >= PHONE_CARDS && 'max-md:hidden')}>
          <CompanyCard company={company} className="w-full" />
        </li>
      ))}
    </ul>
  )
}

function CardSkeletons() {
  return (
    <div role="status" aria-label={CAROUSEL_TEXTS.loading}>
      <p className="mb-6 font-serif text-2xl text-ink-faint md:text-3xl">
        {CAROUSEL_TEXTS.loading}
      </p>
      <div className={gridClasses}>
        {Array.from({ length: SLIDE_CARDS }, (_, i) => (
          <Skeleton
            // biome-ignore lint/suspicious/noArrayIndexKey: eight equal shapes
            key={i}
            className={cx('h-34 w-full rounded-xl', i >= PHONE_CARDS && 'max-md:hidden')}
          />
        ))}
      </div>
    </div>
  )
}

const gridClasses = 'grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-4'
