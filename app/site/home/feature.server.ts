import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { DISCUSSED_THREADS } from '#app/community/discussions/discussion.ts'
import { hotThreadsAbout } from '#app/community/discussions/threads/thread-queries.server.ts'
import { followedIds } from '#app/companies/following/follow-queries.server.ts'
import { type HomeContract, homeContract } from './home.contract.ts'

export const homeHandlers: Handlers<HomeContract> = {
  'GET /api/v1/my/follows/discussions': async (ctx) => ({ threads: await followedThreads(ctx) }),
}

async function followedThreads(ctx: Ctx) {
  const { companyIds } = await followedIds(ctx)
  return companyIds.length > 0 ? hotThreadsAbout(ctx, companyIds, DISCUSSED_THREADS) : []
}

export const home: Feature = {
  routes({ bind }) {
    bind(homeContract, homeHandlers)
  },
}
