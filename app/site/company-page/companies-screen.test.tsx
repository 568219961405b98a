/** Who sees on cards how often a company's page was opened. Spec §2.6. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import {
  companyListQuery,
  highestRatedQuery,
  recentQuery,
  trendingQuery,
} from '#app/companies/company.data.ts'
import { companyViewsQuery } from '#app/companies/tracking/ui/view-count.tsx'
import { CompanyCarousel } from '#app/companies/ui/company-carousel.tsx'
import { rendered } from '#tests/support/rendered.tsx'
import { companyNamed } from '#tests/support/views.ts'
import CompaniesScreen from './companies.screen.tsx'

const here: { can: string[] } = { can: [] }
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { profile: { id: 'a' }, can: here.can } }),
}))

// Lazy parts are loaded at once.
vi.mock('#app/companies/tracking/ui/view-counts.ts', async (original) => ({
  ...(await original<object>()),
  ViewCount: (await import('#app/companies/tracking/ui/view-count.tsx')).ViewCount,
}))

const acme = companyNamed('Acme')
const api = vi.fn() as never

/** All of it is known: the list, its slides on the home page, and that 1,234 came. */
function known() {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  const page = { companies: [acme], next: null, total: 1, totalIsExact: true }
  queryClient.setQueryData(companyListQuery(api, {}).queryKey, {
    pages: [page],
    pageParams: [undefined],
  } as never)
  for (const { queryKey } of [trendingQuery(api), recentQuery(api), highestRatedQuery(api)])
    queryClient.setQueryData(queryKey as never, { companies: [acme] } as never)
  const views = [{ id: acme.id, views: 1234 }]
  queryClient.setQueryData(companyViewsQuery(api, [acme.id]).queryKey, { views })
  return queryClient
}
const seen = (can: string[], part = <CompaniesScreen />) => {
  here.can = can
  const html = rendered(part, { path: '/companies', queryClient: known() })
  expect(html).toContain('>Acme<')
  return html
}

test('Spec §2.6, §6: administrators see on each card of the list how often it was viewed', () => {
  expect(seen(['seeViewCounts'])).toContain('>1.2K views<')
  expect(seen([])).not.toMatch(/ views?</)
})

test('Spec §2.6: no one sees view counts on the home page', () => {
  expect(seen(['seeViewCounts'], <CompanyCarousel />)).not.toMatch(/ views?</)
})

test('Spec §8: a list that can’t load is empty, and the page says that something went wrong', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  await queryClient.prefetchInfiniteQuery({
    ...companyListQuery(api, {}),
    retry: false,
    queryFn: async () => {
      throw new Error('No connection')
    },
  })
  const html = rendered(<CompaniesScreen />, { path: '/companies', queryClient })
  expect(html).toContain('Something went wrong')
  expect(html).not.toContain('<article')
})

test('the order by views says in a sentence what it means, next to the choice', () => {
  expect(seen([])).toMatch(/<\/select>.*Trending: most viewed first\. [^<]*\.<\/p><\/form>/)
})
