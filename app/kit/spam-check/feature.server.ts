import type { Feature } from '#app/api/feature.server.ts'
import { spamCheckContract } from './spam-check.contract.ts'

export const spamCheck: Feature = {
  routes({ bind, proofs }) {
    bind(spamCheckContract, {
      'GET /api/v1/challenge': (ctx, { query }) => proofs.challenge(ctx, query.subject),
    })
  },
}
