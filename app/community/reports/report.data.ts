/** How a post is reported, and how screens ask what happened to posts. */
import { queryOptions } from '@tanstack/react-query'
import { anonymousTransport, type Client, createClient } from '#app/api/client.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { solveSpamCheck } from '#app/kit/spam-check/spam-check.data.ts'
import type { NoteByKeyContract, ReportContract } from './report.contract.ts'
import type { PostKind } from './report.ts'

export type ReportApi = Client<ReportContract>

export interface Post {
  kind: PostKind
  id: string
}

export const MODERATION_KEY = [MY_KEY, 'moderation'] as const

export const myModerationQuery = (api: ReportApi) =>
  queryOptions({
    queryKey: [MY_KEY, 'own-moderation'],
    queryFn: () => api('GET /api/v1/my/moderation'),
  })

const anonymousApi = createClient<NoteByKeyContract>(anonymousTransport)

/** What moderators did to the note of an anonymous rating. @param keys of its holder @throws ApiError */
export const fetchNoteByKey = async (id: string, keys: string[]) =>
  (await anonymousApi('POST /api/v1/notes/{id}/by-key', { params: { id }, body: { keys } })).post

/** What happened to the note of a rating under my account. */
export const ownNoteQuery = (api: ReportApi, id: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'own-moderation', id],
    queryFn: async () => {
      const { posts } = await api('GET /api/v1/my/moderation')
      return posts.find((post) => post.kind === 'note' && post.id === id) ?? null
    },
  })

/** @throws ApiError */
export const sendAppeal = (api: ReportApi, { kind, id }: Post, text: string, keys?: string[]) =>
  keys
    ? anonymousApi('POST /api/v1/notes/{id}/by-key/appeal', {
        params: { id },
        body: { keys, text },
      })
    : api('POST /api/v1/my/moderation/{kind}/{id}/appeal', { params: { kind, id }, body: { text } })

/** Public. About a company, or about none. */
export const removalsQuery = (api: ReportApi, company: string | undefined) =>
  queryOptions({
    queryKey: ['removals', company ?? null],
    queryFn: () => api('GET /api/v1/removals', { query: { company } }),
    staleTime: 60_000,
  })

/** A visitor's browser solves a spam check first. @throws ApiError */
export async function reportPost(
  api: ReportApi,
  post: Post,
  { reason, note }: { reason: Reason; note: string },
) {
  const spamCheck = await solveSpamCheck(api)
  await api('POST /api/v1/reports', { body: { ...post, reason, note, spamCheck } })
}
