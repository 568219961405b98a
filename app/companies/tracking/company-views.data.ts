/** For administrators. Spec §2.6. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { TrackingContract } from './tracking.contract.ts'

/** Keys with it are cleared at login and logout: see `MY_KEY` of the accounts. */
const MINE = 'me'

/** @param ids a hundred at most */
export const companyViewsQuery = (api: Client<TrackingContract>, ids: string[]) =>
  queryOptions({
    queryKey: [MINE, 'company-views', ids],
    queryFn: () => api('GET /api/v1/company-views', { query: { ids: ids.join(',') } }),
    staleTime: 60_000,
  })
