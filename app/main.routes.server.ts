/** Every route: those of the features, and the few that belong to none. */
import { bindContract, describeApi } from '#app/api/bind.server.ts'
import { type Bound, createCaller } from '#app/api/call.server.ts'
import type { RouteParts } from '#app/api/feature.server.ts'
import { createPolicies } from '#app/api/policy.server.ts'
import { type SiteConfig, siteContract } from '#app/kit/session/session.contract.ts'
import { PAGES_NETWORK } from '#app/platform/http/searches.server.ts'
import type { LimitsWord } from '#app/platform/http/shared-counts.server.ts'
import { type HealthChecks, registerHealthChecks } from '#app/platform/operations/health.server.ts'
import type { AppClient, AppContract } from '#app/site/pages/app-client.ts'
import { features } from './main.features.server.ts'

export interface SiteParts extends Omit<RouteParts, 'bind'> {
  site: SiteConfig
  /** Whether other processes' uses of limits are known here. */
  limits: () => LimitsWord
  signs?: HealthChecks
}

/** Answers the way to the same endpoints in this process, for pages. */
export async function registerRoutes({ limits, signs, ...parts }: SiteParts): Promise<AppClient> {
  const { http, db, site, contextOf, hasRateLimits, proofs } = parts
  const policies = createPolicies({ flags: site.flags, hasRateLimits, proofs })
  const bound: Bound[] = []
  const bind: RouteParts['bind'] = (contract, handlers) => {
    bindContract(http, contract, handlers, { contextOf, policies })
    bound.push({ contract, handlers })
  }
  await describeApi(http, site.siteName)
  registerHealthChecks(http, db, { limits, signs })
  bind(siteContract, { 'GET /api/v1/config': async () => site })
  for (const feature of features) await feature.routes?.({ ...parts, bind })
  return createCaller<AppContract>({
    bound,
    policies,
    contextOf: () => contextOf({ network: PAGES_NETWORK, isReading: true }),
    onBug: (err, route) => http.log.error({ err, route }, 'a request failed'),
  })
}
