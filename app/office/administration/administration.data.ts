import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { Input } from '#app/api/contract.ts'
import { isLast, mutate } from '#app/api/mutation.ts'
import { savePrivateFile } from '#app/kit/session/download.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { AdministrationContract } from './administration.contract.ts'
import type { ConfirmableStep, UserAct } from './administration.ts'

type Api = Client<AdministrationContract>

/** The prefix of all queries on the panel, because any action may change any of them. */
const ADMINISTRATION = [MY_KEY, 'administration'] as const

const pages = {
  initialPageParam: undefined as string | undefined,
}

/** Refetched this often, because others may decide in the meantime. */
const STATS_MS = 60_000

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

/** @throws ApiError, after it restored the former choice */
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

/** Downloads the filtered log. Shows a toast on failure. Never rejects. */
export const saveLog = (filters: LogFilters) => {
  const chosen = Object.entries(filters).filter(([, value]) => value)
  return savePrivateFile('log.csv', `/api/v1/administration/log.csv?${new URLSearchParams(chosen)}`)
}

interface AccountQueries {
  api: Api
  queryClient: QueryClient
}

/**
 * @param confirmation the typed username, for a deletion
 * @throws ApiError
 */
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
    // A refusal may also mean that someone else was faster.
    queryClient.invalidateQueries({ queryKey: ADMINISTRATION })
  }
}

export const setUpQuery = (api: Api) =>
  queryOptions({
    queryKey: [...ADMINISTRATION, 'set-up'],
    queryFn: ({ signal }) => api('GET /api/v1/administration/set-up', { signal }),
    refetchOnWindowFocus: true,
    // Each check connects to the mail server.
    staleTime: 60_000,
  })

export async function confirmStep(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  step: ConfirmableStep | 'put-away',
) {
  await api('PUT /api/v1/administration/set-up/{step}', {
    params: { step },
    body: { isDone: true },
  })
  await queryClient.invalidateQueries({ queryKey: setUpQuery(api).queryKey })
}
