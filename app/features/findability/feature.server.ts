import type { Feature } from '../../api/feature.server.ts'
import { answerCrawlers, limitCrawlers } from './crawler-files.server.ts'

export const findability: Feature = {
  routes({ http, reading, site, hasRateLimits }) {
    limitCrawlers(http, { hasRateLimits })
    answerCrawlers(http, { context: reading, site })
  },
}
