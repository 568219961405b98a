/** Endpoints with their policies, for tests of a few of them. */

import type { Ctx } from '#app/api/auth/context.server.ts'
import { createProofs } from '#app/api/auth/proof.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { createCaller } from '#app/api/call.server.ts'
import type { Contract } from '#app/api/contract.ts'
import { createPolicies, type PolicySettings } from '#app/api/policy.server.ts'
import { FLAGS, type Flag } from '#app/platform/operations/flags.ts'

export const ALL_ON = Object.fromEntries(FLAGS.map((flag) => [flag, true])) as Record<Flag, boolean>

/** Everything is on, there are no limits and no spam check, except for what `settings` changes. */
export const openPolicies = (settings: Partial<PolicySettings> = {}) =>
  createPolicies({ flags: ALL_ON, hasRateLimits: false, proofs: createProofs(0), ...settings })

/** What `bindContract` needs, for a test that calls as `ctx`. */
export const boundTo = (ctx: Ctx, settings?: Partial<PolicySettings>) => ({
  contextOf: async () => ctx,
  policies: openPolicies(settings),
})

/** Calls endpoints as given people. They all share one rate limit. */
export function callsOf<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  settings?: Partial<PolicySettings>,
) {
  const policies = openPolicies(settings)
  return (ctx: Ctx) =>
    createCaller<C>({
      bound: [{ contract, handlers }],
      policies,
      contextOf: async () => ctx,
      onBug: (error) => {
        throw error
      },
    })
}
