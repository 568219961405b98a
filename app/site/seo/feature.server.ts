import type { Feature } from '#app/api/feature.server.ts'
import { limitCrawlers, registerCrawlers, registerSecurityFile } from './crawler-files.server.ts'

export const findability: Feature = {
  routes({ http, reading, site, hasRateLimits, securityContact }) {
    limitCrawlers(http, { hasRateLimits })
    registerCrawlers(http, { context: reading, site })
    registerSecurityFile(http, { contact: securityContact, site, now: reading.now })
  },
}
