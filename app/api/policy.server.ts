/**
 * Enforces what a contract says about an endpoint, in this order: flag, anonymity, access, recent login, limit, spam
 * check.
 */

import {
  createNetworkLimit,
  createRateLimit,
  type RateLimit,
  tooMany,
} from '#app/platform/http/rate-limits.server.ts'
import { badRequest, notFound } from '#app/platform/http/refusal.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import { type Actor, visitor } from './auth/actor.ts'
import type { Ctx } from './auth/context.server.ts'
import { ACCESS } from './auth/permissions.ts'
import { requireRecentLogin } from './auth/require.server.ts'
import { isUntrusted, type SpamChecks } from './auth/spam-checks.server.ts'
import type { Endpoint, Limit, Policy } from './contract.ts'
import { type RawRequest, requestReader } from './request.server.ts'

export interface Policies {
  /** @throws Refusal not-found, bad-request, reauthentication-needed, and as `requireAccess` */
  admit(policy: Policy, ctx: Ctx): void
  /**
   * Rate limits and the spam check. Call it once the input is valid, so invalid requests don't count.
   * @throws Refusal too-many, forbidden
   */
  enforceLimits(
    policy: Policy,
    ctx: Ctx,
    request: { params?: unknown; body?: unknown },
  ): Promise<void>
  isOff(policy: Policy): boolean
}

export interface PolicySettings {
  flags: Flags
  hasRateLimits: boolean
  spamChecks: Pick<SpamChecks, 'require'>
}

export function createPolicies({ flags, hasRateLimits, spamChecks }: PolicySettings): Policies {
  const limitOf = createLimits(hasRateLimits)
  const isOff = ({ flag }: Policy) => flag !== undefined && !flags[flag]
  return {
    isOff,
    admit(policy, ctx) {
      if (isOff(policy)) throw notFound('There’s nothing here')
      if (policy.mustBeAnonymous) requireAnonymous(ctx)
      requireAccess(policy, ctx.actor)
      if (policy.requiresRecentLogin) requireRecentLogin(ctx)
    },
    async enforceLimits(policy, ctx, { params, body }) {
      if (policy.limit) await limitOf(policy.limit).use(ctx)
      if (!policy.spamCheck) return
      const subject = policy.spamCheck === 'of-subject' ? (params as { id: string }).id : undefined
      await spamChecks.require(ctx, (body as { spamCheck?: string }).spamCheck, subject)
    },
  }
}

/** What both adapters do with a request, in this order. */
export function endpointOf(
  endpoint: Endpoint,
  handler: (ctx: Ctx, request: unknown) => Promise<unknown>,
  policies: Policies,
) {
  const reader = requestReader(endpoint)
  return {
    reader,
    async answer(sent: RawRequest, contextOf: () => Promise<Ctx>) {
      const read = reader.check(sent)
      const ctx = await contextOf()
      policies.admit(endpoint, ctx)
      const request = read()
      await policies.enforceLimits(endpoint, ctx, request)
      return handler(handlerContext(endpoint, ctx), request)
    },
  }
}

/** What a handler learns about the caller. */
const handlerContext = ({ isShared }: Policy, ctx: Ctx): Ctx =>
  isShared ? { ...ctx, actor: visitor } : ctx

/**
 * If a request names its sender here, the client made a mistake.
 * @throws Refusal bad-request
 */
function requireAnonymous({ actor }: Ctx) {
  if (actor.authorKey !== null || actor.secondFactor)
    throw badRequest('Send this request anonymously, without a token or ID')
}

/**
 * Routes without a contract, such as files, call this function themselves.
 * @throws Refusal sign-in-required, second-step-needed, employer-not-allowed, unconfirmed, second-factor-needed, forbidden
 */
export function requireAccess(
  { access, refusal }: Pick<Policy, 'access' | 'refusal'>,
  actor: Actor,
) {
  if (!ACCESS[access].allows(actor)) throw ACCESS[access].refuse(actor, refusal)
}

/** Endpoints that share a limit share its counters. */
function createLimits(isOn: boolean) {
  const known = new Map<Limit, ReturnType<typeof createLimit>>()
  return (limit: Limit) => {
    const counted = known.get(limit) ?? createLimit(limit, isOn)
    known.set(limit, counted)
    return counted
  }
}

function createLimit({ name, seconds, ...limits }: Limit, isOn: boolean) {
  const counting = (
    what: string,
    uses: number | undefined,
    create = createRateLimit,
  ): RateLimit | undefined =>
    uses === undefined ? undefined : create({ name: what, uses, seconds, isOn })
  const person = counting(name, limits.person)
  const untrusted = counting(`${name}-untrusted`, limits.untrusted) ?? person
  const network = counting(`${name}-network`, limits.network, createNetworkLimit)
  return {
    /** @throws Refusal too-many with the time to wait */
    async use({ actor, network: address }: Ctx) {
      const own = isUntrusted(actor) ? untrusted : person
      const waits = [
        await network?.use(address),
        actor.authorKey === null ? undefined : await own?.use(actor.authorKey),
      ]
      const wait = Math.max(...waits.map((seconds) => seconds ?? 0))
      if (wait > 0) throw tooMany(wait)
    },
  }
}
