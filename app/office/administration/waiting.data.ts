import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { WAITING_KEY } from '#app/kit/session/my-key.ts'
import type { AdministrationContract } from './administration.contract.ts'

const REFETCH_MS = 60_000

/** Light, because it's part of the first load. The answer also comes with the page. See pages/my-page.ts. */
export const waitingQuery = (api: Client<AdministrationContract>) =>
  queryOptions({
    queryKey: WAITING_KEY,
    queryFn: ({ signal }) => api('GET /api/v1/administration/waiting', { signal }),
    staleTime: REFETCH_MS / 2,
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: true,
  })
