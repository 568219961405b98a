import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { createRateLimit, requireCapacity } from '#app/platform/http/rate-limits.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import { type RoomContract, roomContract } from './room.contract.ts'
import {
  changeInRoom,
  enterRoom,
  forgetChallenges,
  forgetDays,
  makeChallenge,
  removeFromRoom,
  writeInRoom,
} from './room-commands.server.ts'
import { roomThread, roomThreads } from './room-queries.server.ts'

const POSTS = { uses: 20, seconds: 3600 }

function roomHandlers(
  issuer: Issuer,
  config: Pick<FeatureConfig, 'hasRateLimits' | 'roomHoldersMin'>,
): Handlers<RoomContract> {
  const posts = createRateLimit({ name: 'room-posts', ...POSTS, isOn: config.hasRateLimits })
  return {
    'POST /api/v1/room/challenge': async (ctx) => ({ challenge: makeChallenge(ctx) }),
    'POST /api/v1/companies/{id}/room': (ctx, { params, body }) =>
      enterRoom(
        ctx,
        { ...body, companyId: params.id, roomHoldersMin: config.roomHoldersMin },
        issuer,
      ),
    'POST /api/v1/room/threads': (ctx, { body }) => roomThreads(ctx, body),
    'POST /api/v1/room/threads/{id}': (ctx, { params, body }) => roomThread(ctx, params.id, body),
    'POST /api/v1/room/posts': (ctx, { body }) =>
      writeInRoom(
        { ...ctx, requireWritingPause: (person) => requireCapacity(posts, person) },
        body,
        issuer,
      ),
    'POST /api/v1/room/posts/{id}/change': (ctx, { params, body }) =>
      changeInRoom(ctx, params.id, body),
    'POST /api/v1/room/posts/{id}/remove': (ctx, { params, body }) =>
      removeFromRoom(ctx, params.id, body.key),
  }
}

export const rooms: Feature = {
  routes({ bind, issuer, config }) {
    bind(roomContract, roomHandlers(issuer, config))
  },
  nightly: ({ db, base }) => [
    { name: 'forget the day of room posts', run: () => forgetDays(db) },
    // The order of rows would show who wrote before whom across rooms.
    { name: 'reorder room_posts', run: () => reorderTable(db, 'room_posts') },
    { name: 'forget used challenges', run: () => forgetChallenges(base) },
  ],
}
