/**
 * How this browser reads and writes in a room: without an account, with a pass for the day that's only in
 * memory.
 */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { anonymousTransport, createClient, statusOf } from '#app/api/client.ts'
import { keyHashOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import type { StoredBadge } from '#app/companies/badges/stored-badges.data.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { fromBase64url, toBase64url } from '#app/identity/credentials/credential.ts'
import type { RoomContract, RoomReportContract } from './room.contract.ts'
import type { RoomText } from './room.ts'

const anonymousApi = createClient<RoomContract & RoomReportContract>(anonymousTransport)

export interface RoomAccess {
  companyId: string
  badge: StoredBadge
}

const proving = () => import('./proving.data.ts')

const passes = new Map<string, Promise<string>>()

function enter({ companyId, badge }: RoomAccess): Promise<string> {
  const entered = proving().then(async ({ entryWithProof }) => {
    const { challenge } = await anonymousApi('POST /api/v1/room/challenge')
    const body = entryWithProof(badge, challenge)
    return (
      await anonymousApi('POST /api/v1/companies/{id}/room', { params: { id: companyId }, body })
    ).pass
  })
  passes.set(badge.issued, entered)
  entered.catch(() => passes.delete(badge.issued))
  return entered
}

/** Sends the stored pass, or a new one if its day is over. */
async function withPass<Answer>(access: RoomAccess, ask: (pass: string) => Promise<Answer>) {
  try {
    return await ask(await (passes.get(access.badge.issued) ?? enter(access)))
  } catch (error) {
    if (statusOf(error) !== 410) throw error
    return ask(await enter(access))
  }
}

export const roomKey = ({ badge }: RoomAccess) => ['room', badge.domain, badge.issued] as const

export const roomThreadsQuery = (access: RoomAccess) =>
  infiniteQueryOptions({
    queryKey: [...roomKey(access), 'threads'],
    queryFn: ({ pageParam: after }) =>
      withPass(access, (pass) =>
        anonymousApi('POST /api/v1/room/threads', { body: { pass, after } }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const roomThreadQuery = (access: RoomAccess, id: string) =>
  infiniteQueryOptions({
    queryKey: [...roomKey(access), id],
    queryFn: ({ pageParam: after }) =>
      withPass(access, (pass) =>
        anonymousApi('POST /api/v1/room/threads/{id}', {
          params: { id },
          body: { pass, holder: toBase64url(keyHashOf(keyIn(access, id))), after },
        }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

const keyIn = ({ badge }: RoomAccess, threadId: string) =>
  roomKeyOf(fromBase64url(badge.m1), threadId)
const keyText = (access: RoomAccess, threadId: string) => toBase64url(keyIn(access, threadId))

/** @throws ApiError */
export const writeInRoom = (
  access: RoomAccess,
  post: RoomText & { id: string; threadId: string },
) =>
  withPass(access, async (pass) => {
    const { postWithProof } = await proving()
    return anonymousApi('POST /api/v1/room/posts', {
      body: { pass, ...postWithProof(access.badge, post) },
    })
  })

/** @throws ApiError */
export const changeInRoom = (
  access: RoomAccess,
  { id, threadId, ...text }: RoomText & { id: string; threadId: string; before: RoomText },
) =>
  anonymousApi('POST /api/v1/room/posts/{id}/change', {
    params: { id },
    body: { key: keyText(access, threadId), ...text },
  })

/** @throws ApiError */
export const removeFromRoom = (
  access: RoomAccess,
  { id, threadId }: { id: string; threadId: string },
) =>
  anonymousApi('POST /api/v1/room/posts/{id}/remove', {
    params: { id },
    body: { key: keyText(access, threadId) },
  })

/** @throws ApiError */
export const reportInRoom = (
  access: RoomAccess,
  id: string,
  report: { reason: Reason; note: string },
) =>
  withPass(access, async (pass) => {
    const { reportWithProof } = await proving()
    return anonymousApi('POST /api/v1/room/posts/{id}/report', {
      params: { id },
      body: { pass, ...reportWithProof(access.badge, id, report) },
    })
  })

/** @throws ApiError */
export const appealInRoom = (
  access: RoomAccess,
  { id, threadId, text }: { id: string; threadId: string; text: string },
) =>
  anonymousApi('POST /api/v1/room/posts/{id}/appeal', {
    params: { id },
    body: { key: keyText(access, threadId), text },
  })
