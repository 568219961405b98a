/** Binds the contract of following to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import type { FollowContract } from './follow.contract.ts'
import { chooseAlerts, follow, unfollow } from './follow-commands.server.ts'
import { followedIds, myFollows } from './follow-queries.server.ts'

/** Per person: uses in so many seconds. */
const WRITES = { uses: 120, seconds: 600 }

export function followHandlers(settings: { hasRateLimits: boolean }): Handlers<FollowContract> {
  const writes = createRateLimit({ name: 'follows', ...WRITES, isOn: settings.hasRateLimits })
  // Whoever makes up a new anonymous id for each is still at one network.
  const networks = createRateLimit({
    name: 'follows-network',
    uses: 10 * WRITES.uses,
    seconds: WRITES.seconds,
    isOn: settings.hasRateLimits,
  })
  const limited = async ({ actor, network }: Ctx) => {
    const wait = (await writes.use(actor.authorKey ?? '')) ?? (await networks.use(network))
    if (wait !== undefined)
      throw new Refusal('too-many', `That was often. Please wait ${wait} seconds.`)
  }
  return {
    'GET /api/v1/my/follows': (ctx) => myFollows(ctx),
    'GET /api/v1/my/follows/ids': (ctx) => followedIds(ctx),
    'PUT /api/v1/companies/{id}/follow': async (ctx, { params, body }) => {
      await limited(ctx)
      return body.isFollowing ? follow(ctx, params.id) : unfollow(ctx, params.id)
    },
    'PATCH /api/v1/companies/{id}/follow': async (ctx, { params, body }) => {
      await limited(ctx)
      return chooseAlerts(ctx, params.id, body)
    },
  }
}
