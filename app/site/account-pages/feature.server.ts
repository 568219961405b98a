import type { Feature } from '#app/api/feature.server.ts'
import { exportContract } from './export.contract.ts'
import { exportHandlers } from './export-api.server.ts'
import { myPageContract } from './my-page.contract.ts'
import { myPageHandlers } from './my-page-api.server.ts'

export const accountPages: Feature = {
  routes({ bind, site }) {
    bind(exportContract, exportHandlers(site))
    bind(myPageContract, myPageHandlers(site.flags))
  },
}
