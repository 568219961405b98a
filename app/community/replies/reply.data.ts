import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { CompanyReplyContract } from './reply.contract.ts'

type ReplyApi = Client<CompanyReplyContract>

const HALF_A_MINUTE = 30_000
export interface Answered {
  kind: 'thread' | 'note'
  id: string
  path: string
  company: { id: string; name: string }
}

/** Whether I may reply as this company. */
export const replyRightsQuery = (api: ReplyApi, company: string, sessionKey: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'reply-rights', sessionKey, company],
    queryFn: () => api('GET /api/v1/my/reply-rights', { query: { company } }),
    staleTime: HALF_A_MINUTE,
  })

/** Always refetched, because a colleague may have changed it. */
export const replySourceQuery = (api: ReplyApi, id: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'reply-source', id],
    queryFn: () => api('GET /api/v1/company-replies/{id}/source', { params: { id } }),
  })

export const replyVersionsQuery = (api: ReplyApi, id: string) =>
  infiniteQueryOptions({
    queryKey: ['reply-versions', id],
    queryFn: ({ pageParam: before, signal }) =>
      api('GET /api/v1/company-replies/{id}/versions', {
        params: { id },
        query: { before },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

/** @throws ApiError */
export const sendReply = (api: ReplyApi, { kind, id }: Answered, text: string) =>
  kind === 'thread'
    ? api('POST /api/v1/threads/{id}/company-reply', { params: { id }, body: { text } })
    : api('POST /api/v1/notes/{id}/company-reply', { params: { id }, body: { text } })

/** @throws ApiError, also if a colleague was faster */
export const changeCompanyReply = (
  api: ReplyApi,
  id: string,
  change: { text: string; version: number },
) => api('PATCH /api/v1/company-replies/{id}', { params: { id }, body: change })

/** @throws ApiError */
export const removeCompanyReply = (api: ReplyApi, id: string) =>
  api('DELETE /api/v1/company-replies/{id}', { params: { id } })
