import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { AdministrationContract } from './administration.contract.ts'
import { ADMINISTRATION } from './administration.data.ts'
import type { SayableStep } from './set-up.ts'

type Api = Client<AdministrationContract>

export const setUpQuery = (api: Api) =>
  queryOptions({
    queryKey: [...ADMINISTRATION, 'set-up'],
    queryFn: ({ signal }) => api('GET /api/v1/administration/set-up', { signal }),
    refetchOnWindowFocus: true,
    // Each one connects to the mail server.
    staleTime: 60_000,
  })

export async function sayStep(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  step: SayableStep | 'put-away',
) {
  await api('PUT /api/v1/administration/set-up/{step}', {
    params: { step },
    body: { isDone: true },
  })
  await queryClient.invalidateQueries({ queryKey: setUpQuery(api).queryKey })
}
