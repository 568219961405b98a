/** What is being discussed about the companies that the person at this browser follows. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { followsKey } from '#app/companies/following/follow.data.ts'
import type { HomeContract } from './home.contract.ts'

/** Another person's are another answer; whoever follows one more company asks anew. */
export const followedThreadsQuery = (api: Client<HomeContract>, who: string) =>
  queryOptions({
    queryKey: [...followsKey(who), 'discussions'],
    queryFn: async () => (await api('GET /api/v1/my/follows/discussions')).threads,
    staleTime: 30_000,
  })
