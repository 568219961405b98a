/** How the dashboard's screen asks for its numbers. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, type Client, retryUnlessRefused } from '../../api/client.ts'
import { saveAs } from '../../ui/save-as.ts'
import { toast } from '../../ui/toast.ts'
import { credentials } from '../accounts/session.data.ts'
import { refusalOf } from '../accounts/ui/refusal.ts'
import type { DashboardContract, DashboardQuery } from './dashboard.contract.ts'

type Api = Client<DashboardContract>

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

export const myDashboardsQuery = (api: Api) =>
  queryOptions({
    queryKey: [MINE, 'dashboards'],
    queryFn: ({ signal }) => api('GET /api/v1/my/dashboards', { signal }),
    retry: retryUnlessRefused,
  })

export const dashboardQuery = (api: Api, id: string, query: DashboardQuery) =>
  queryOptions({
    queryKey: [MINE, 'dashboard', id, query.weeks, query.category ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/dashboard', { params: { id }, query, signal }),
    // Nothing changes within a week.
    staleTime: 600_000,
    retry: retryUnlessRefused,
  })

/** Saves what is shown as a file, or says why not. Never rejects. */
export async function saveDashboard(id: string, { weeks, category }: DashboardQuery) {
  const search = new URLSearchParams({ weeks, ...(category && { category }) })
  try {
    const url = `/api/v1/companies/${encodeURIComponent(id)}/dashboard.csv?${search}`
    saveAs('dashboard.csv', await fetchFile(url))
  } catch (error) {
    toast({ title: 'Download failed', description: refusalOf(error), variant: 'destructive' })
  }
}

/** With a fresh token where the first is refused. @throws ApiError */
async function fetchFile(url: string): Promise<Blob> {
  const send = (token?: string) =>
    fetch(url, {
      credentials: 'same-origin',
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
  const given = await credentials.token()
  let answer = await send(given)
  if (answer.status === 401 && given) answer = await send(await credentials.renew(given))
  if (answer.ok) return answer.blob()
  const { error } = (await answer.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string }
  }
  throw new ApiError(answer.status, error?.code ?? 'unknown', error?.message ?? '')
}
