import type { Feature } from '../../api/feature.server.ts'
import { limitCrawlers, registerCrawlers } from './crawler-files.server.ts'

export const findability: Feature = {
  routes({ http, reading, site, hasRateLimits }) {
    limitCrawlers(http, { hasRateLimits })
    registerCrawlers(http, { context: reading, site })
  },
}
