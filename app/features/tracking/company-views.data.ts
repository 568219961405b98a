/** How often companies were seen, for administrators. Spec §2.6. */
import { queryOptions, useQueries } from '@tanstack/react-query'
import { type Client, retryUnlessRefused, useApi } from '../../api/client.ts'
import { useSession } from '../accounts/session.data.ts'
import type { TrackingContract } from './tracking.contract.ts'

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

const viewsQuery = (api: Client<TrackingContract>, ids: string[]) =>
  queryOptions({
    queryKey: [MINE, 'company-views', ids],
    queryFn: () => api('GET /api/v1/company-views', { query: { ids: ids.join(',') } }),
    staleTime: 60_000,
    retry: retryUnlessRefused,
  })

/**
 * Views by company, of lists of at most a hundred companies each; empty for who may not see them,
 * and until the page is hydrated.
 */
export function useCompanyViews(lists: { id: string }[][]): Map<string, number> {
  const api = useApi<TrackingContract>()
  const { me } = useSession()
  const isAllowed = me?.can.includes('seeViewCounts') ?? false
  return useQueries({
    queries: lists
      .filter((list) => isAllowed && list.length > 0)
      .map((list) =>
        viewsQuery(
          api,
          list.map(({ id }) => id),
        ),
      ),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => data?.views.map((it) => [it.id, it.views]) ?? [])),
  })
}
