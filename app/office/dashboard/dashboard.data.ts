/** How the dashboard's screen asks for its numbers. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { savePrivateFile } from '#app/kit/session/private-file.data.ts'
import type { DashboardContract, DashboardQuery } from './dashboard.contract.ts'

type Api = Client<DashboardContract>

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

export const myDashboardsQuery = (api: Api) =>
  queryOptions({
    queryKey: [MINE, 'dashboards'],
    queryFn: ({ signal }) => api('GET /api/v1/my/dashboards', { signal }),
  })

export const dashboardQuery = (api: Api, id: string, query: DashboardQuery) =>
  queryOptions({
    queryKey: [MINE, 'dashboard', id, query.weeks, query.category ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/dashboard', { params: { id }, query, signal }),
    // Nothing changes within a week.
    staleTime: 600_000,
  })

/** Saves what is shown as a file, or says why not. Never rejects. */
export async function saveDashboard(id: string, { weeks, category }: DashboardQuery) {
  const search = new URLSearchParams({ weeks, ...(category && { category }) })
  const url = `/api/v1/companies/${encodeURIComponent(id)}/dashboard.csv?${search}`
  await savePrivateFile('dashboard.csv', url)
}
