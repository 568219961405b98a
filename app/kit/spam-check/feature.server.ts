import type { Feature } from '#app/api/feature.server.ts'
import { spamCheckContract } from './spam-check.contract.ts'

export const spamCheck: Feature = {
  routes({ bind, spamChecks }) {
    bind(spamCheckContract, {
      'GET /api/v1/challenge': (ctx, { query }) => spamChecks.challenge(ctx, query.subject),
    })
  },
}
