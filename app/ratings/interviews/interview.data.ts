import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { notesKey } from '../rating.data.ts'
import type { NoteSort } from '../rating.ts'
import type { InterviewContract } from './interview.contract.ts'

/** The server caches pages for this long. */
const HALF_A_MINUTE = 30_000

/** Among the company's notes, so a counted vote refreshes both. */
export const interviewsQuery = (
  api: Client<InterviewContract>,
  companyId: string,
  sort: NoteSort = 'newest',
) =>
  infiniteQueryOptions({
    queryKey: [...notesKey(companyId), 'interviews', sort],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/companies/{id}/interviews', {
        params: { id: companyId },
        query: { after: after ?? undefined, sort },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
  })
