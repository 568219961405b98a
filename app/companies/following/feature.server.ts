import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { type FollowContract, followContract } from './follow.contract.ts'
import { chooseAlerts, forgetFollower, setFollowing } from './follow-commands.server.ts'
import { followedIds, myFollows } from './follow-queries.server.ts'

export const followHandlers: Handlers<FollowContract> = {
  'GET /api/v1/my/follows': (ctx) => myFollows(ctx),
  'GET /api/v1/my/follows/ids': (ctx) => followedIds(ctx),
  'PUT /api/v1/companies/{id}/follow': (ctx, { params, body }) =>
    setFollowing(ctx, params.id, body.isFollowing),
  'PATCH /api/v1/companies/{id}/follow': (ctx, { params, body }) =>
    chooseAlerts(ctx, params.id, body),
}

export const following: Feature = {
  routes({ bind }) {
    bind(followContract, followHandlers)
  },
  nightly: ({ db }) => [{ name: 'reorder follows', run: () => reorderTable(db, 'follows') }],
  forget: ({ root }, { base }) => forgetFollower(base, root),
}
