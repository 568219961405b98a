/** Optimistic changes to follows and their alerts. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '#app/api/client.ts'
import { isLast, mutate } from '#app/api/mutation.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { AlertChoices, Follow, FollowContract } from './follow.contract.ts'
import { type FollowQueries, followedIdsQuery, followsKey, followsQuery } from './follow.data.ts'

/** Removes a company from the list immediately. A newly followed one comes from the server. */
function showMark(
  { api, queryClient, sessionKey }: FollowQueries,
  companyId: string,
  isFollowing: boolean,
) {
  if (!isFollowing)
    queryClient.setQueryData(
      followsQuery(api, sessionKey).queryKey,
      (it) => it && { follows: it.follows.filter(({ company }) => company.id !== companyId) },
    )
  queryClient.setQueryData(followedIdsQuery(api, sessionKey).queryKey, (it) => {
    const others = it?.companyIds.filter((id) => id !== companyId) ?? []
    return { companyIds: isFollowing ? [...others, companyId] : others }
  })
}

/** @throws ApiError, after undoing it */
export function followCompany(queries: FollowQueries, companyId: string, isFollowing: boolean) {
  const { api, queryClient, sessionKey } = queries
  const subject = `follow ${companyId}`
  return mutate(queryClient, {
    subject,
    mutationFn: () =>
      api('PUT /api/v1/companies/{id}/follow', {
        params: { id: companyId },
        body: { isFollowing },
      }),
    onMutate: async () => {
      // A response that's still on its way is older than this change.
      await queryClient.cancelQueries({ queryKey: followsKey(sessionKey) })
      showMark(queries, companyId, isFollowing)
    },
    onError: () => {
      if (isLast(queryClient, subject)) showMark(queries, companyId, !isFollowing)
    },
    onSettled: () => {
      if (isLast(queryClient, subject))
        queryClient.invalidateQueries({ queryKey: followsKey(sessionKey) })
    },
  })
}

/** Undoes an unfollow, with the choices it had. @throws ApiError */
export async function followAgain(queries: FollowQueries, { company, ...choices }: Follow) {
  await followCompany(queries, company.id, true)
  await queries.api('PATCH /api/v1/companies/{id}/follow', {
    params: { id: company.id },
    body: choices,
  })
  await queries.queryClient.invalidateQueries({ queryKey: followsKey(queries.sessionKey) })
}

/** @throws ApiError, after undoing the choice */
export function chooseAlerts(
  queries: FollowQueries,
  companyId: string,
  choices: Partial<AlertChoices>,
) {
  const { api, queryClient, sessionKey } = queries
  const { queryKey } = followsQuery(api, sessionKey)
  const show = (choices: Partial<AlertChoices>) =>
    queryClient.setQueryData(
      queryKey,
      (list) =>
        list && {
          follows: list.follows.map((it) =>
            it.company.id === companyId ? { ...it, ...choices } : it,
          ),
        },
    )
  const subject = `alerts ${companyId}`
  return mutate(queryClient, {
    subject,
    mutationFn: () =>
      api('PATCH /api/v1/companies/{id}/follow', { params: { id: companyId }, body: choices }),
    onMutate: async () => {
      await queryClient.cancelQueries({ queryKey })
      show(choices)
    },
    onSuccess: (chosen) => {
      if (isLast(queryClient, subject)) show(chosen)
    },
    onError: () => {
      if (isLast(queryClient, subject)) queryClient.invalidateQueries({ queryKey })
    },
  })
}

export function useFollowQueries() {
  const api = useApi<FollowContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const queries = useMemo<FollowQueries>(
    () => ({ api, queryClient, sessionKey }),
    [api, queryClient, sessionKey],
  )
  return { queries, isKnown }
}

/** `isFollowed` is undefined on the server, and until we know it. A list calls this once for all its cards. */
export function useFollowed({ isWanted = true } = {}) {
  const { queries, isKnown } = useFollowQueries()
  // Without an id, this browser follows nothing, so we send no request.
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...followedIdsQuery(queries.api, queries.sessionKey),
    enabled: isWanted && isKnown && !isNobody,
  })
  const ids = data?.companyIds ?? (isKnown && isNobody ? [] : undefined)
  return { queries, isFollowed: (companyId: string) => ids?.includes(companyId) }
}

export type Followed = ReturnType<typeof useFollowed>
