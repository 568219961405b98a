/** Binds the contract of the site to its settings. */
import type { Handlers } from '../../api/bind.server.ts'
import type { SiteConfig, SiteContract } from '../../session/site.contract.ts'

export const siteHandlers = (site: SiteConfig): Handlers<SiteContract> => ({
  'GET /api/v1/config': async () => site,
})
