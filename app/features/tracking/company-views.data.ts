/** How often companies were seen, for administrators. Spec §2.6. */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, retryUnlessRefused, useApi } from '../../api/client.ts'
import { useSession } from '../accounts/session.data.ts'
import type { TrackingContract } from './tracking.contract.ts'

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

const FRESH_MS = 60_000

const viewsQuery = (api: Client<TrackingContract>, ids: string[]) =>
  queryOptions({
    queryKey: [MINE, 'company-views', ids],
    queryFn: () => api('GET /api/v1/company-views', { query: { ids: ids.join(',') } }),
    staleTime: FRESH_MS,
    retry: retryUnlessRefused,
  })

/**
 * Views by company, of lists of at most a hundred companies each; empty for who may not see them,
 * and until the page is hydrated.
 */
export function useCompanyViews(lists: { id: string }[][]): ReadonlyMap<string, number> {
  const api = useApi<TrackingContract>()
  const queryClient = useQueryClient()
  const { me } = useSession()
  const isAllowed = me?.can.includes('seeViewCounts') ?? false
  const idLists = lists.filter((list) => list.length > 0).map((list) => list.map(({ id }) => id))
  const { data } = useQuery({
    queryKey: [MINE, 'company-views', 'of-lists', idLists],
    // Of a list that grew only what was added is asked for.
    queryFn: async () => {
      const answers = await Promise.all(
        idLists.map((ids) => queryClient.fetchQuery(viewsQuery(api, ids))),
      )
      return new Map(answers.flatMap(({ views }) => views.map((it) => [it.id, it.views])))
    },
    enabled: isAllowed && idLists.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  })
  return (isAllowed && data) || NONE
}

const NONE: ReadonlyMap<string, number> = new Map()
