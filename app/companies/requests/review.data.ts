/** The owner's list of requests. Spec §2.11, §7.2, §8. */

import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError, type Client, statusOf } from '#app/api/client.ts'
import type { Output } from '#app/api/contract.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { COMPANIES_KEY } from '../company.ts'
import type { AddedCompany } from '../importing/added-company.ts'
import type { RequestStatus } from './company-request.ts'
import type { CompanyRequest, RequestContract } from './request.contract.ts'
import {
  DELETE_TOASTS,
  DELETION_TEXTS,
  type Deletion,
  deletionToast,
  LIST_REFUSALS,
} from './request-review.ts'

type Api = Client<RequestContract>
type Page = Output<RequestContract['GET /api/v1/company-requests']>
type Pages = InfiniteData<Page, number | undefined>

const REQUESTS_KEY = [MY_KEY, 'company-requests'] as const
/** The Admin Panel's numbers, which include pending requests. */
const PANEL_KEY = [MY_KEY, 'administration'] as const

/** Never fresh. Spec §9. */
export const requestsQuery = (api: Api, status?: RequestStatus) =>
  infiniteQueryOptions({
    queryKey: [...REQUESTS_KEY, status ?? 'all'],
    queryFn: async ({ pageParam: before, signal }) => {
      try {
        return await api('GET /api/v1/company-requests', { query: { status, before }, signal })
      } catch (error) {
        if (isForbidden(error)) throw error
        throw new ApiError(
          statusOf(error),
          'failed',
          LIST_REFUSALS.failed((error as Error).message),
        )
      }
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

/** Whether the refusal's sentence needs no introduction. */
const isForbidden = (error: unknown) => [401, 403].includes(statusOf(error))

interface Deleting {
  api: Api
  queryClient: QueryClient
  /** The list's filter. */
  status?: RequestStatus
}
type Target = Pick<CompanyRequest, 'id' | 'companyName'>

/** Shows a toast, which the outcome replaces. Spec §8. Never rejects. */
export async function deleteFromDialog(deleting: Deleting, request: Target): Promise<Deletion> {
  const { companyName } = request
  const id = toast({ title: DELETE_TOASTS.deleting(companyName), duration: 0 })
  const deletion = await deleteRequest(deleting, request)
  toast({ ...deletionToast(deletion, companyName), id })
  return deletion
}

/** Deletes the request, then reloads the list to check that it's gone. Never rejects. */
export const deleteRequest = (deleting: Deleting, request: Target): Promise<Deletion> =>
  sendDeletion(deleting, request).catch((error: { message?: string } | undefined) => ({
    outcome: 'unexpected',
    sentence: DELETION_TEXTS.unexpected(error?.message),
  }))

async function sendDeletion(deleting: Deleting, request: Target): Promise<Deletion> {
  const { api, queryClient } = deleting
  const { id } = request
  let count: number
  try {
    count = (await api('DELETE /api/v1/company-requests/{id}', { params: { id } })).count
  } catch (error) {
    const { message } = error as Error
    return failed(isForbidden(error) ? message : DELETION_TEXTS.failed(message))
  }
  if (count > 0) return verifyDeletion(deleting, request)
  dropFromLists(queryClient, id)
  return { outcome: 'already', sentence: DELETION_TEXTS.already }
}

async function verifyDeletion(
  { api, queryClient, status }: Deleting,
  { id, companyName }: Target,
): Promise<Deletion> {
  queryClient.invalidateQueries({ queryKey: PANEL_KEY })
  const query = requestsQuery(api, status)
  const known = queryClient.getQueryData<Pages>(query.queryKey)
  dropFromLists(queryClient, id)
  let list: Pages
  try {
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    list = await queryClient.fetchInfiniteQuery({
      ...query,
      pages: Math.max(1, known?.pages.length ?? 1),
      retry: false,
    })
  } catch (error) {
    const { message } = error as Error
    return { outcome: 'deleted', sentence: DELETION_TEXTS.reloadFailed(message) }
  }
  return isListed(list, id)
    ? failed(DELETION_TEXTS.stillThere)
    : { outcome: 'deleted', sentence: DELETION_TEXTS.deleted(companyName) }
}

const isListed = (list: Pages, id: string) =>
  list.pages.some(({ requests }) => requests.some((request) => request.id === id))

const failed = (sentence: string): Deletion => ({ outcome: 'failed', sentence })

function dropFromLists(queryClient: QueryClient, id: string) {
  queryClient.setQueriesData<Pages>({ queryKey: REQUESTS_KEY }, (list) => {
    if (!list || !isListed(list, id)) return list
    return {
      ...list,
      pages: list.pages.map((page) => ({
        ...page,
        total: page.total - 1,
        requests: page.requests.filter((request) => request.id !== id),
      })),
    }
  })
}

type Deciding = { api: Api; queryClient: QueryClient }

/** @throws ApiError */
export const approveRequest = (
  deciding: Deciding,
  id: string,
  body: AddedCompany & { isAnother: boolean },
) =>
  decided(deciding, ({ api }) =>
    api('POST /api/v1/company-requests/{id}/approve', { params: { id }, body }),
  )

/** Links a request to an existing company. @throws ApiError */
export const linkRequest = (deciding: Deciding, id: string, companyId: string) =>
  decided(deciding, ({ api }) =>
    api('POST /api/v1/company-requests/{id}/link', { params: { id }, body: { companyId } }),
  )

/** @throws ApiError */
export const declineRequest = (deciding: Deciding, id: string) =>
  decided(deciding, ({ api }) =>
    api('POST /api/v1/company-requests/{id}/decline', { params: { id } }),
  )

async function decided<Output>(
  { api, queryClient }: Deciding,
  send: (deciding: Deciding) => Promise<Output>,
): Promise<Output> {
  try {
    return await send({ api, queryClient })
  } finally {
    // Runs after a refusal, too, because someone else may have decided.
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: REQUESTS_KEY }),
      queryClient.invalidateQueries({ queryKey: COMPANIES_KEY }),
      queryClient.invalidateQueries({ queryKey: PANEL_KEY }),
    ])
  }
}
