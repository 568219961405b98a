import type { Feature } from '#app/api/feature.server.ts'
import { limitCrawlers, registerCrawlers, registerSecurityFile } from './crawler-files.server.ts'

export const findability: Feature = {
  routes({ http, reading, config, auth: { siteUrl } }) {
    limitCrawlers(http, config)
    registerCrawlers(http, { context: reading, siteUrl, flags: config.flags })
    registerSecurityFile(http, { contact: config.securityContact, siteUrl, now: reading.now })
  },
}
