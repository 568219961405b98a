/** Loads a route's code and data in parallel: on the server, for hydration, and when people hover over a link. */
import type {
  FetchInfiniteQueryOptions,
  FetchQueryOptions,
  QueryClient,
  QueryKey,
} from '@tanstack/react-query'
import type { ApiError } from '#app/api/client.ts'
import { withCommentHtml } from '#app/community/discussions/comments/embedded-comments.data.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { PageAddress } from '#app/kit/ui/address.ts'
import { NOWHERE, routeOf } from '#app/routes.ts'
import type { AppClient } from './app-client.ts'
import { type Address, loadScreen, type Query, queryOf, type Route } from './route.ts'

export interface Prepared {
  /** 404 means there's no such page, 410 that it was removed, 503 that data it needs didn't arrive. */
  status: 200 | 404 | 410 | 503
  sentence?: string
  redirect?: string
  /** Results of the route's `data`. Set if the page exists. */
  answers?: Record<string, unknown>
}

/** Loads what a URL needs into `queryClient` and returns the page's status. Never throws. */
export async function prepare(
  { path, search }: PageAddress,
  flags: SiteConfig['flags'],
  queryClient: QueryClient,
  api: AppClient,
): Promise<Prepared> {
  const found = routeOf(path, flags)
  if (!found) {
    await loadScreen(NOWHERE, { query: {}, flags })
    return { status: 404 }
  }
  const route: Route = found.route
  const address: Address = {
    path,
    params: found.params,
    query: queryOf(search),
  }
  const queries = Object.entries(route.data?.(api, address, flags) ?? {}).flatMap(
    ([name, query]) => (query ? [{ name, query }] : []),
  )
  await Promise.all([
    ...queries.map(({ query }) => prefetch(queryClient, query)),
    loadScreen(route, { query: address.query, flags }),
  ])
  const known = queries.map(({ name, query }) => ({
    name,
    state: queryClient.getQueryState(query.queryKey),
  }))
  const failed = known.find(({ state }) => state?.status !== 'success')
  if (failed) {
    const { status, code, message } = (failed.state?.error ?? {}) as Partial<ApiError>
    if (status === 410 || code === 'held') return { status: status as 404 | 410, sentence: message }
    if (status === 404 || status === 400) return { status: 404 }
    return { status: 503, ...(status === 503 && { sentence: message }) }
  }
  const answers = Object.fromEntries(known.map(({ name, state }) => [name, state?.data]))
  const redirect = route.redirect?.(address, answers)
  if (!redirect && route.more)
    await Promise.all(
      route.more(api, address, answers, flags).map((query) => prefetch(queryClient, query)),
    )
  return {
    status: 200,
    redirect: redirect && (search ? `${redirect}?${search}` : redirect),
    answers,
  }
}

const prefetch = (queryClient: QueryClient, query: Query) =>
  'initialPageParam' in query
    ? queryClient.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions)
    : queryClient.prefetchQuery(query as FetchQueryOptions)

/** The data a page was rendered with, so the browser doesn't fetch it again. */
export interface PageState {
  site: SiteConfig
  /** Set if there's nothing at the page's URL. `sentence` says why, if we know. */
  missing?: { sentence?: string }
  answers: [key: QueryKey, data: unknown][]
}

/**
 * Hydrates the query cache. Data counts as fetched when the page arrived, no matter how long the page was cached,
 * because the live stream reports changes since then. Browsers only refetch the data when people go back to a page
 * that was kept.
 */
export function hydrateQueries(
  queryClient: QueryClient,
  { answers }: Pick<PageState, 'answers'>,
  page: Pick<Document, 'getElementById'>,
  navigation = performance.getEntriesByType('navigation')[0],
) {
  const isFromMemory = (navigation as { type?: string } | undefined)?.type === 'back_forward'
  const updatedAt = isFromMemory ? 0 : Date.now()
  for (const [key, data] of answers)
    queryClient.setQueryData(key, withCommentHtml(key, data, page), { updatedAt })
}
