import type { Feature } from '../../api/feature.server.ts'
import { HOUR_MS } from '../../server/days.server.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { dashboardHandlers, serveDashboardCsv } from './dashboard-api.server.ts'
import { releaseDashboards } from './release-job.server.ts'

export const dashboard: Feature = {
  routes({ http, bind, site, contextOf }) {
    const { enableDashboard, enableJobs: hasJobs } = site.flags
    bind(dashboardContract, dashboardHandlers({ hasJobs }))
    if (enableDashboard) serveDashboardCsv(http, contextOf, { hasJobs })
  },
  jobs({ jobs, base: { now, secrets }, site, ratings: { minShown, batch } }) {
    const { enableDashboard, enableJobs: hasJobs } = site.flags
    if (enableDashboard)
      jobs.every('release-dashboards', HOUR_MS, (db) =>
        releaseDashboards({ db, now, secrets }, { minShown, hasJobs, ratingsWait: batch > 1 }),
      )
  },
}
