/** Loads a place's code and data in parallel: for the server, for hydration, for a link's hover. */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { SiteConfig } from './session/site.contract.ts'
import { type Address, type AppClient, NOWHERE, type Place, placeOf } from './sitemap.ts'
import type { PageAddress } from './ui/address.ts'

type Screen = ComponentType<Record<string, string>>
const loaded = new WeakMap<Place, Screen>()

/** The screen's component if its code is here. */
export const loadedScreen = (place: Place): Screen | undefined => loaded.get(place)

export async function loadScreen(place: Place): Promise<Screen> {
  const screen = loaded.get(place) ?? (await place.screen.load())
  loaded.set(place, screen)
  return screen
}

export interface Prepared {
  /**
   * 404: no such path, or nothing at it. 410: what was there was removed. 503: an answer that the
   * page needs did not come.
   */
  status: 200 | 404 | 410 | 503
  /** What the API said when it refused. */
  sentence?: string
  redirect?: string
  /** Those of the place's `data`, in their order; of a page that is there. */
  answers?: unknown[]
}

/** Brings what an address needs into `queryClient`; says how the page came out. Never throws. */
export async function prepare(
  { path, search }: PageAddress,
  flags: SiteConfig['flags'],
  queryClient: QueryClient,
  api: AppClient,
): Promise<Prepared> {
  const found = placeOf(path, flags)
  if (!found) {
    await loadScreen(NOWHERE)
    return { status: 404 }
  }
  const address: Address = {
    path,
    params: found.params,
    query: Object.fromEntries(new URLSearchParams(search)),
  }
  const prefetch = async (wanted: ReturnType<NonNullable<Place['data']>>) => {
    const queries = await wanted
    await Promise.all(
      queries.map((query) =>
        'initialPageParam' in query
          ? queryClient.prefetchInfiniteQuery(query)
          : queryClient.prefetchQuery(query),
      ),
    )
    return queries
  }
  const [queries] = await Promise.all([
    prefetch(found.place.data?.(api, address, flags) ?? []),
    loadScreen(found.place),
  ])
  const states = queries.map((query) => queryClient.getQueryState(query.queryKey))
  const failure = states.find((state) => state?.status === 'error')
  if (failure) {
    const { status, message } = failure.error as Error & { status?: number }
    if (status === 410) return { status, sentence: message }
    if (status === 404 || status === 400) return { status: 404, sentence: message }
    return { status: 503, ...(status === 503 && { sentence: message }) }
  }
  const answers = states.map((state) => state?.data)
  const redirect = found.place.redirect?.(address, answers)
  if (!redirect && found.place.more) await prefetch(found.place.more(api, address, answers))
  return {
    status: 200,
    redirect: redirect && (search ? `${redirect}?${search}` : redirect),
    answers,
  }
}
