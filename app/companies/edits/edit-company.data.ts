import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { COMPANIES_KEY } from '../company.ts'
import type { EditContract } from './edit-company.contract.ts'

type Api = Client<EditContract>

/** Personal, because it includes your own suggestions, or all suggestions for administrators. */
export const editsQuery = (api: Api, companyId: string) =>
  infiniteQueryOptions({
    queryKey: [MY_KEY, 'company-edits', companyId],
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
    queryKey: [MY_KEY, 'company-suggestions', company ?? 'all'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/company-edits', { query: { company, after }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

/** After a change: everything that may show a company. */
export const invalidateEdits = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: COMPANIES_KEY }),
    queryClient.invalidateQueries({ queryKey: [MY_KEY, 'company-edits'] }),
    queryClient.invalidateQueries({ queryKey: [MY_KEY, 'company-suggestions'] }),
  ])
