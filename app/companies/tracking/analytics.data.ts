import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { savePrivateFile } from '#app/kit/session/download.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { TrackingContract } from './tracking.contract.ts'
import { LOAD_FAILED, refreshedText } from './tracking.ts'

type TrackingApi = Client<TrackingContract>

const CLICKS_KEY = [MY_KEY, 'clicks'] as const

export const interactionsQuery = (api: TrackingApi) =>
  queryOptions({
    queryKey: [MY_KEY, 'interactions'],
    queryFn: ({ signal }) => api('GET /api/v1/interactions', { signal }),
  })

/** @param ids six at most */
export const clicksQuery = (api: TrackingApi, ids: string[]) =>
  queryOptions({
    queryKey: [...CLICKS_KEY, ids],
    queryFn: ({ signal }) => api('GET /api/v1/clicks', { query: { ids: ids.join(',') }, signal }),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })

export const analyticsQuery = (api: TrackingApi) =>
  queryOptions({
    queryKey: [MY_KEY, 'analytics'],
    queryFn: ({ signal }) => api('GET /api/v1/analytics', { signal }),
    staleTime: 60_000,
  })

/** Refetches clicks, with a toast. Spec §8. Never rejects. */
export async function refreshInteractions(api: TrackingApi, queryClient: QueryClient) {
  try {
    const { interactions } = await queryClient.fetchQuery({
      ...interactionsQuery(api),
      staleTime: 0,
    })
    queryClient.invalidateQueries({ queryKey: CLICKS_KEY })
    toast({ id: TOAST, ...refreshedText(interactions.length), variant: undefined })
  } catch {
    sayLoadFailed()
  }
}

/** All outcomes share one toast, which shows the last. */
const TOAST = 'interactions'

export const sayLoadFailed = () => {
  toast({ id: TOAST, ...LOAD_FAILED, variant: 'destructive' })
}

/** An administrators' file; a toast on failure. Never rejects. */
export const saveCsv = (name: 'analytics' | 'clicks') =>
  savePrivateFile(`${name}.csv`, `/api/v1/${name}.csv`)
