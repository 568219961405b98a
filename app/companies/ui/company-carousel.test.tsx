import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { searchAddress } from '#app/site/company-page/ui/company-search.tsx'
import { rendered } from '#tests/support/rendered.tsx'
import { companyNamed } from '#tests/support/views.ts'
import { highestRatedQuery, recentQuery, SLIDE_CARDS, trendingQuery } from '../company.data.ts'
import { CAROUSEL_TEXTS, CompanyCarousel, PHONE_CARDS, ROTATION_MS } from './company-carousel.tsx'
import { DEBOUNCE_MS, SEARCH_TEXTS } from './suggestions.tsx'

const api = (async () => {
  throw new Error('Nobody is there')
}) as never

/** As the server renders it with these responses. An error means a list that failed. */
async function carousel(answers: (object | Error | undefined)[]) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, retryOnMount: false } },
  })
  const queries = [trendingQuery(api), recentQuery(api), highestRatedQuery(api)] as const
  for (const [i, query] of queries.entries()) {
    const answer = answers[i]
    if (answer)
      await queryClient.prefetchQuery({
        ...(query as { queryKey: readonly string[] }),
        queryFn: async () => {
          if (answer instanceof Error) throw answer
          return answer
        },
      })
  }
  return rendered(<CompanyCarousel />, { queryClient })
}
const none = { companies: [] }

describe('Spec §2.5: the carousel', () => {
  test('the carousel says "Loading companies..." until all three lists are here', async () => {
    expect(await carousel([none, undefined, none])).toContain('>Loading companies...</p>')
  })

  test('the carousel has three slides in this order, each of which can be empty', async () => {
    const html = await carousel([none, none, none])
    const titles = [...html.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title)
    expect(titles).toEqual([
      'Trending Companies',
      'Recently Added Companies',
      'Highest Rated Companies',
    ])
    expect(html.match(/No companies to display/g)).toHaveLength(3)
  })

  test('each slide shows its own companies’ cards, eight at most', async () => {
    const companies = Array.from({ length: 9 }, (_, i) => companyNamed(`Acme ${i + 1}`))
    const html = await carousel([
      { companies },
      none,
      { companies: [companyNamed('Best Kettles')] },
    ])
    const slides = html.split(/(?=<h2)/).slice(1)
    const names = slides.map((slide) =>
      [...slide.matchAll(/<article.*?<a [^>]*>([^<]+)<\/a>/gs)].map(([, name]) => name),
    )
    expect(names).toEqual([companies.slice(0, 8).map(({ name }) => name), [], ['Best Kettles']])
    expect(html.match(/No companies to display/g)).toHaveLength(1)
  })

  test.each([0, 1, 2])(
    'the carousel says so and offers a refresh if list %i fails',
    async (failed) => {
      const answers: (object | Error)[] = [none, none, none]
      answers[failed] = new Error('No')
      const html = await carousel(answers)
      expect(html).toContain('Something went wrong')
      expect(html).toContain(
        "We're having trouble loading the content. Please try refreshing the page.",
      )
      expect(html).toContain('>Refresh Page</button>')
      expect(html).not.toContain(CAROUSEL_TEXTS.trending)
    },
  )
})

test('Spec §9: the carousel turns every 10 s, with 8 cards on a desktop and 6 on a phone', () => {
  expect(ROTATION_MS).toBe(10_000)
  expect(SLIDE_CARDS).toBe(8)
  expect(PHONE_CARDS).toBe(6)
})

describe('Spec §2.7: the company search box', () => {
  test('the search box has its texts', () => {
    expect(SEARCH_TEXTS).toMatchObject({
      placeholder: 'Search for a company...',
      search: 'Search',
      nothing: 'No companies found matching your search.',
    })
  })

  test('the Search button leads to /companies with the text', () => {
    expect(searchAddress(' bank of ')).toBe('/companies?search=bank+of')
    expect(searchAddress(' ')).toBe('/companies')
  })

  test('Spec §9: the search box waits for a pause of 150 ms', () => expect(DEBOUNCE_MS).toBe(150))
})
