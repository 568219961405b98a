import type { Feature } from '#app/api/feature.server.ts'
import { DAY_MS, HOUR_MS } from '#app/platform/jobs/days.server.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { dashboardHandlers, serveDashboardCsv } from './dashboard-api.server.ts'
import {
  COMPANY_NEWS,
  type CompanyNews,
  queueCompanyNews,
  sendCompanyNews,
} from './news/company-news.server.ts'
import { registerNewsOff } from './news/news-off-page.server.ts'
import { releaseDashboards } from './release-job.server.ts'

export const dashboard: Feature = {
  routes({ http, bind, base, site, contextOf, htmlPage, ratings: { batch } }) {
    const { enableDashboard, enableJobs: hasJobs } = site.flags
    const settings = { hasJobs, ratingsWait: batch > 1 }
    bind(dashboardContract, dashboardHandlers(settings))
    if (enableDashboard) serveDashboardCsv(http, contextOf, settings)
    registerNewsOff(http, { context: base, siteName: site.siteName, htmlPage })
  },
  jobs({ jobs, base, site, ratings: { minShown, batch } }) {
    const { enableDashboard, enableJobs: hasJobs } = site.flags
    const { now, secrets } = base
    jobs.every('queue-company-news', DAY_MS, (db) => queueCompanyNews({ ...base, db }))
    if (enableDashboard)
      jobs.every('release-dashboards', HOUR_MS, (db) =>
        releaseDashboards({ db, now, secrets }, { minShown, hasJobs, ratingsWait: batch > 1 }),
      )
  },
  mails: {
    [COMPANY_NEWS]: ({ base, auth, site }, post, news: CompanyNews) => {
      const { enableDiscussions, enableCompanies: hasNotes } = site.flags
      // What is new is read on the company's page.
      const hasThreads = hasNotes && enableDiscussions
      return sendCompanyNews(base, post, { ...auth, hasThreads, hasNotes }, news)
    },
  },
}
