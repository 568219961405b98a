/** Endpoints with their policy, for tests of a few of them. */

import type { Ctx } from '#app/api/auth/context.server.ts'
import { createProofs } from '#app/api/auth/proof.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { createCaller } from '#app/api/call.server.ts'
import type { Contract } from '#app/api/contract.ts'
import { createPolicies, type PolicySettings } from '#app/api/policy.server.ts'
import { FLAGS, type Flag } from '#app/platform/operations/flags.ts'

export const ALL_ON = Object.fromEntries(FLAGS.map((flag) => [flag, true])) as Record<Flag, boolean>

/** Everything is on, nothing is limited, and nobody calculates, but for `settings`. */
export const openPolicies = (settings: Partial<PolicySettings> = {}) =>
  createPolicies({ flags: ALL_ON, hasRateLimits: false, proofs: createProofs(0), ...settings })

/** What `bindContract` wants, for a test in which `ctx` asks. */
export const boundTo = (ctx: Ctx, settings?: Partial<PolicySettings>) => ({
  contextOf: async () => ctx,
  policies: openPolicies(settings),
})

/** Calls endpoints as somebody: what is limited is counted for all of them together. */
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
