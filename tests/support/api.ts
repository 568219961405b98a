/** Endpoints with their policies, for tests of a few endpoints. */

import Fastify, { type FastifyServerOptions } from 'fastify'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { bindContract, type Handlers } from '#app/api/bind.server.ts'
import { createCaller } from '#app/api/call.server.ts'
import type { Contract } from '#app/api/contract.ts'
import { createPolicies, type PolicySettings } from '#app/api/policy.server.ts'
import { setUpJson } from '#app/platform/http/http.server.ts'
import { FLAGS, type Flag } from '#app/platform/operations/flags.ts'

export const ALL_ON = Object.fromEntries(FLAGS.map((flag) => [flag, true])) as Record<Flag, boolean>

/** Everything is on, without limits and spam checks, unless `settings` changes that. */
export const openPolicies = (settings: Partial<PolicySettings> = {}) =>
  createPolicies({
    flags: ALL_ON,
    hasRateLimits: false,
    spamChecks: createSpamChecks(0),
    ...settings,
  })

/** The parts `bindContract` needs, for a test that calls as `ctx`. */
export const boundTo = (ctx: Ctx, settings?: Partial<PolicySettings>) => ({
  contextOf: async () => ctx,
  policies: openPolicies(settings),
})

/** A server that answers and refuses as the site's does. A bug fails the test, with its stack. */
export function bareHttp(options: FastifyServerOptions = {}) {
  const stream = { write: (line: string) => console.error(line) }
  const app = Fastify({ logger: { level: 'error', stream }, ...options })
  setUpJson(app)
  return app
}

/** A contract's routes, called as `ctx`. */
export function routesOf<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  ctx: Ctx,
  settings?: Partial<PolicySettings>,
) {
  const app = bareHttp()
  bindContract(app, contract, handlers, boundTo(ctx, settings))
  return app
}

/** Calls endpoints as given people. All requests share one rate limit. */
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
