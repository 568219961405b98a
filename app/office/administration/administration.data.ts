/** How the panel asks for its numbers, accounts and log, and acts on accounts. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { Input } from '#app/api/contract.ts'
import { isLast, mutate } from '#app/api/mutation.ts'
import { savePrivateFile } from '#app/kit/session/private-file.data.ts'
import type { AdministrationContract } from './administration.contract.ts'
import type { UserAct } from './administration.ts'

type Api = Client<AdministrationContract>

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

/** Everything on the panel has a key that begins with it: after any act all of it may be different. */
export const ADMINISTRATION = [MINE, 'administration'] as const

const pages = {
  initialPageParam: undefined as string | undefined,
}

/** What waits may be decided on elsewhere. */
const STATS_MS = 60_000

/** Looked at anew whenever the panel is, and while it stays open. */
export const adminStatsQuery = (api: Api) =>
  queryOptions({
    queryKey: [...ADMINISTRATION, 'stats'],
    queryFn: ({ signal }) => api('GET /api/v1/administration/stats', { signal }),
    refetchInterval: STATS_MS,
    refetchOnWindowFocus: true,
  })

export const waitingMailQuery = (api: Api) =>
  queryOptions({
    queryKey: [...ADMINISTRATION, 'waiting-mail'],
    queryFn: ({ signal }) => api('GET /api/v1/my/waiting-mail', { signal }),
  })

/** @throws ApiError, after the former choice has been put back */
export function chooseWaitingMail({ api, queryClient }: AccountQueries, isWanted: boolean) {
  const { queryKey } = waitingMailQuery(api)
  const before = queryClient.getQueryData(queryKey)
  const subject = 'waiting-mail'
  return mutate(queryClient, {
    subject,
    mutationFn: () => api('PUT /api/v1/my/waiting-mail', { body: { isWanted } }),
    onMutate: () => queryClient.setQueryData(queryKey, { isWanted }),
    onError: () => {
      if (isLast(queryClient, subject)) queryClient.setQueryData(queryKey, before)
    },
  })
}

export type UserFilters = Omit<
  NonNullable<Input<AdministrationContract['GET /api/v1/administration/users']>['query']>,
  'after'
>

export const usersQuery = (api: Api, filters: UserFilters) =>
  infiniteQueryOptions({
    queryKey: [...ADMINISTRATION, 'users', filters],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/administration/users', { query: { ...filters, after }, signal }),
    getNextPageParam: (page) => page.next ?? undefined,
    ...pages,
  })

export type LogFilters = Omit<
  NonNullable<Input<AdministrationContract['GET /api/v1/administration/log']>['query']>,
  'after'
>

export const adminLogQuery = (api: Api, filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: [...ADMINISTRATION, 'log', filters],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/administration/log', { query: { ...filters, after }, signal }),
    placeholderData: keepPreviousData,
    getNextPageParam: (page) => page.next ?? undefined,
    ...pages,
  })

/** Saves what the filters leave as a file, or says why not. Never rejects. */
export const saveLog = (filters: LogFilters) => {
  const given = Object.entries(filters).filter(([, value]) => value)
  return savePrivateFile('log.csv', `/api/v1/administration/log.csv?${new URLSearchParams(given)}`)
}

export interface AccountQueries {
  api: Api
  queryClient: QueryClient
}

/** @param confirmation the username as it was typed, for a deletion. @throws ApiError */
export async function actOnAccount(
  { api, queryClient }: AccountQueries,
  { handle, act, confirmation }: { handle: string; act: UserAct; confirmation: string },
) {
  const params = { handle }
  try {
    if (act === 'delete')
      await api('POST /api/v1/administration/users/{handle}/deletion', {
        params,
        body: { confirmation },
      })
    else await api(`POST /api/v1/administration/users/{handle}/${act}`, { params })
  } finally {
    // A refusal too may mean that somebody else was faster.
    queryClient.invalidateQueries({ queryKey: ADMINISTRATION })
  }
}
