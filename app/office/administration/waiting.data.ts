import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { AdministrationContract } from './administration.contract.ts'

/**
 * Light, as it's part of the first load. Its key starts like `ADMINISTRATION`, so any act on the panel refetches it.
 */
const WAITING = [MY_KEY, 'administration', 'waiting'] as const

const REFETCH_MS = 60_000

/** The answer also comes with the page: see pages/my-page.ts. */
export const waitingQuery = (api: Client<AdministrationContract>) =>
  queryOptions({
    queryKey: WAITING,
    queryFn: ({ signal }) => api('GET /api/v1/administration/waiting', { signal }),
    staleTime: REFETCH_MS / 2,
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: true,
  })
