/** How the header and the panel ask for what waits. Light: it stands in the first load. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { AdministrationContract } from './administration.contract.ts'

/** Begins as `ADMINISTRATION` does: after any act on the panel it is asked for anew. */
const WAITING = ['me', 'administration', 'waiting'] as const

/** A tab that is looked at asks so often. */
const ASKED_EVERY_MS = 60_000

/** Comes with the page, too: see pages/my-page.ts. */
export const waitingQuery = (api: Client<AdministrationContract>) =>
  queryOptions({
    queryKey: WAITING,
    queryFn: ({ signal }) => api('GET /api/v1/administration/waiting', { signal }),
    staleTime: ASKED_EVERY_MS / 2,
    refetchInterval: ASKED_EVERY_MS,
    refetchOnWindowFocus: true,
  })
