import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { savePrivateFile } from '#app/kit/session/download.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { DashboardContract, DashboardQuery } from './dashboard.contract.ts'

type Api = Client<DashboardContract>

export const myDashboardsQuery = (api: Api) =>
  queryOptions({
    queryKey: [MY_KEY, 'dashboards'],
    queryFn: ({ signal }) => api('GET /api/v1/my/dashboards', { signal }),
  })

export const dashboardQuery = (api: Api, id: string, query: DashboardQuery) =>
  queryOptions({
    queryKey: [MY_KEY, 'dashboard', id, query.weeks, query.category ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/dashboard', { params: { id }, query, signal }),
    // Changes at most weekly.
    staleTime: 600_000,
  })

/** Downloads what is shown. Shows a toast on failure. Never rejects. */
export async function saveDashboard(id: string, { weeks, category }: DashboardQuery) {
  const search = new URLSearchParams({ weeks, ...(category && { category }) })
  const url = `/api/v1/companies/${encodeURIComponent(id)}/dashboard.csv?${search}`
  await savePrivateFile('dashboard.csv', url)
}
