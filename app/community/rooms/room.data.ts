/** How this browser reads and writes in a room: without an account, by a day's pass that only memory holds. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { apartTransport, createClient, statusOf } from '#app/api/client.ts'
import { holderOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import type { StoredBadge } from '#app/companies/badges/stored-badges.data.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { fromBase64url, toBase64url } from '#app/identity/credentials/credential.ts'
import type { RoomContract, RoomReportContract } from './room.contract.ts'
import type { RoomText } from './room.ts'

const apart = createClient<RoomContract & RoomReportContract>(apartTransport)

export interface Door {
  companyId: string
  badge: StoredBadge
}

const proving = () => import('./proving.data.ts')

const passes = new Map<string, Promise<string>>()

function enter({ companyId, badge }: Door): Promise<string> {
  const entered = proving().then(async ({ provenDay }) => {
    const { challenge } = await apart('POST /api/v1/room/challenge')
    const body = provenDay(badge, challenge)
    return (await apart('POST /api/v1/companies/{id}/room', { params: { id: companyId }, body }))
      .pass
  })
  passes.set(badge.issued, entered)
  entered.catch(() => passes.delete(badge.issued))
  return entered
}

/** Asks with the stored pass, or a new one if its day is over. */
async function withPass<Answer>(door: Door, ask: (pass: string) => Promise<Answer>) {
  try {
    return await ask(await (passes.get(door.badge.issued) ?? enter(door)))
  } catch (error) {
    if (statusOf(error) !== 410) throw error
    return ask(await enter(door))
  }
}

export const roomKey = ({ badge }: Door) => ['room', badge.domain, badge.issued] as const

export const roomThreadsQuery = (door: Door) =>
  infiniteQueryOptions({
    queryKey: [...roomKey(door), 'threads'],
    queryFn: ({ pageParam: after }) =>
      withPass(door, (pass) => apart('POST /api/v1/room/threads', { body: { pass, after } })),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const roomThreadQuery = (door: Door, id: string) =>
  infiniteQueryOptions({
    queryKey: [...roomKey(door), id],
    queryFn: ({ pageParam: after }) =>
      withPass(door, (pass) =>
        apart('POST /api/v1/room/threads/{id}', {
          params: { id },
          body: { pass, holder: toBase64url(holderOf(keyIn(door, id))), after },
        }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

const keyIn = ({ badge }: Door, threadId: string) => roomKeyOf(fromBase64url(badge.m1), threadId)
const keyText = (door: Door, threadId: string) => toBase64url(keyIn(door, threadId))

/** @throws ApiError */
export const writeInRoom = (door: Door, post: RoomText & { id: string; threadId: string }) =>
  withPass(door, async (pass) => {
    const { provenPost } = await proving()
    return apart('POST /api/v1/room/posts', { body: { pass, ...provenPost(door.badge, post) } })
  })

/** @throws ApiError */
export const changeInRoom = (
  door: Door,
  { id, threadId, ...text }: RoomText & { id: string; threadId: string; before: RoomText },
) =>
  apart('POST /api/v1/room/posts/{id}/change', {
    params: { id },
    body: { key: keyText(door, threadId), ...text },
  })

/** @throws ApiError */
export const removeFromRoom = (door: Door, { id, threadId }: { id: string; threadId: string }) =>
  apart('POST /api/v1/room/posts/{id}/remove', {
    params: { id },
    body: { key: keyText(door, threadId) },
  })

/** @throws ApiError */
export const reportInRoom = (door: Door, id: string, report: { reason: Reason; note: string }) =>
  withPass(door, async (pass) => {
    const { provenReport } = await proving()
    return apart('POST /api/v1/room/posts/{id}/report', {
      params: { id },
      body: { pass, ...provenReport(door.badge, id, report) },
    })
  })

/** @throws ApiError */
export const appealInRoom = (
  door: Door,
  { id, threadId, text }: { id: string; threadId: string; text: string },
) =>
  apart('POST /api/v1/room/posts/{id}/appeal', {
    params: { id },
    body: { key: keyText(door, threadId), text },
  })
