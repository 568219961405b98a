import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { EditContract } from './edit-company.contract.ts'

type Api = Client<EditContract>

/** Keys with it are cleared at login and logout: see `MY_KEY` of the accounts. */
const MINE = 'me'

/** Personal: includes your own suggestions, and all of them for administrators. */
export const editsQuery = (api: Api, companyId: string) =>
  infiniteQueryOptions({
    queryKey: [MINE, 'company-edits', companyId],
    queryFn: ({ pageParam: before, signal }) =>
      api('GET /api/v1/companies/{id}/edits', {
        params: { id: companyId },
        query: { before },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

/** Suggestions that wait for an administrator. */
export const suggestedEditsQuery = (api: Api, company?: string) =>
  infiniteQueryOptions({
    queryKey: [MINE, 'company-suggestions', company ?? 'all'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/company-edits', { query: { company, after }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

/** After a change: everything that may show a company. */
export const invalidateEdits = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['companies'] }),
    queryClient.invalidateQueries({ queryKey: [MINE, 'company-edits'] }),
    queryClient.invalidateQueries({ queryKey: [MINE, 'company-suggestions'] }),
  ])
