/** Every route, feature by feature. */

import { bindContract, type Handlers } from './api/bind.server.ts'
import { type Bound, createCaller } from './api/call.server.ts'
import type { Contract } from './api/contract.ts'
import { describeApi } from './api/document.server.ts'
import { createPolicies } from './api/policy.server.ts'
import type { Credentials } from './auth/actor.server.ts'
import type { Ctx } from './auth/context.server.ts'
import type { Proofs } from './auth/proof.server.ts'
import { exportContract } from './features/account-pages/export.contract.ts'
import { exportHandlers } from './features/account-pages/export-api.server.ts'
import { accountContract } from './features/accounts/account.contract.ts'
import { accountHandlers } from './features/accounts/account-api.server.ts'
import { answerAuth } from './features/accounts/auth-server/auth-api.server.ts'
import type { AuthSettings } from './features/accounts/auth-server/auth-context.server.ts'
import { administrationContract } from './features/administration/administration.contract.ts'
import { administrationHandlers } from './features/administration/administration-api.server.ts'
import { claimContract } from './features/claims/claim.contract.ts'
import { claimHandlers } from './features/claims/claim-api.server.ts'
import { answerClaimLinks } from './features/claims/claim-link-page.server.ts'
import { createTxtLookup } from './features/claims/dns-record.server.ts'
import { companyContract } from './features/companies/company.contract.ts'
import { companyHandlers } from './features/companies/company-api.server.ts'
import { hearOfCompanies } from './features/companies/company-news.server.ts'
import { editHandlers } from './features/companies/edits/edit-api.server.ts'
import { editContract } from './features/companies/edits/edit-company.contract.ts'
import { serveLogos } from './features/companies/logos/logo-api.server.ts'
import { createSuggestions } from './features/companies/search/company-search.server.ts'
import { contactContract } from './features/contact/contact.contract.ts'
import { contactHandlers } from './features/contact/contact-api.server.ts'
import { dashboardContract } from './features/dashboard/dashboard.contract.ts'
import { dashboardHandlers, serveDashboardCsv } from './features/dashboard/dashboard-api.server.ts'
import { discussionContract } from './features/discussions/discussion.contract.ts'
import { discussionHandlers } from './features/discussions/discussion-api.server.ts'
import { answerFeeds } from './features/discussions/feeds/feed.server.ts'
import { streamNews } from './features/discussions/live/live.server.ts'
import { hearOfRemovals } from './features/discussions/live/removal-news.server.ts'
import { postKeepers } from './features/discussions/posts/keepers.server.ts'
import { answerCrawlers, limitCrawlers } from './features/findability/crawler-files.server.ts'
import { followContract } from './features/following/follow.contract.ts'
import { followHandlers } from './features/following/follow-api.server.ts'
import { answerImports } from './features/importing/import-api.server.ts'
import { jobContract } from './features/jobs/job.contract.ts'
import { jobHandlers } from './features/jobs/job-api.server.ts'
import type { JobCounts } from './features/jobs/postings/job-counts.server.ts'
import { savedJobContract } from './features/jobs/saved/saved-job.contract.ts'
import { savedJobHandlers } from './features/jobs/saved/saved-job-api.server.ts'
import { moderationHandlers } from './features/moderation/moderation-api.server.ts'
import { notificationContract } from './features/notifications/notification.contract.ts'
import { notificationHandlers } from './features/notifications/notification-api.server.ts'
import { newsSettingsOf } from './features/notifications/notification-queries.server.ts'
import { answerUnsubscribe } from './features/notifications/unsubscribe-page.server.ts'
import { noteKeeper } from './features/ratings/keepers.server.ts'
import { ratingContract } from './features/ratings/rating.contract.ts'
import { ratingHandlers } from './features/ratings/rating-api.server.ts'
import type { RatingSettings } from './features/ratings/rating-commands.server.ts'
import { hearOfRatings } from './features/ratings/rating-news.server.ts'
import { serveRatingsCsv } from './features/ratings/ratings-csv.server.ts'
import { replyContract } from './features/replies/reply.contract.ts'
import { replyHandlers } from './features/replies/reply-api.server.ts'
import { moderationContract } from './features/reports/report.contract.ts'
import { requestContract } from './features/requests/request.contract.ts'
import { requestHandlers } from './features/requests/request-api.server.ts'
import { answerRequestNotices } from './features/requests/request-notice.server.ts'
import type { MarketMovers } from './features/scraping/scrape.server.ts'
import { scrapingContract } from './features/scraping/scraping.contract.ts'
import { answerScraper, scrapingHandlers } from './features/scraping/scraping-api.server.ts'
import { siteHandlers } from './features/site/site-api.server.ts'
import { trackingContract } from './features/tracking/tracking.contract.ts'
import { answerViews, type Tracking } from './features/tracking/tracking.server.ts'
import { trackingHandlers } from './features/tracking/tracking-api.server.ts'
import { serveTrackingFiles } from './features/tracking/tracking-files.server.ts'
import type { AppClient, AppContract } from './pages/app-client.ts'
import type { ServerContext } from './server/context.server.ts'
import type { OpenDatabase } from './server/database.server.ts'
import { answerHealthChecks } from './server/health.server.ts'
import type { Http } from './server/http.server.ts'
import { PAGES_NETWORK, type Searches } from './server/searches.server.ts'
import type { LimitsWord } from './server/shared-counts.server.ts'
import type { VitalSigns } from './server/vital-signs.server.ts'
import { type SiteConfig, siteContract } from './session/site.contract.ts'

export interface RouteParts {
  http: Http
  db: OpenDatabase
  base: ServerContext
  /** For what is the same for everybody and changes nothing: it may come from a standby. */
  reading: ServerContext
  site: SiteConfig
  auth: AuthSettings
  ratings: RatingSettings
  marketMovers: MarketMovers
  /** Of an import. */
  batchesAtOnce: number
  hasRateLimits: boolean
  proofs: Proofs
  /** Whether other processes' uses of limits are known here. */
  limits: () => LimitsWord
  searches: Searches
  tracking: Tracking
  jobCounts: JobCounts
  signs?: VitalSigns
  contextOf: (credentials: Credentials) => Promise<Ctx>
  /** A page in the site's looks: `title` is text, `body` is markup. */
  htmlPage: (title: string, body: string) => string
  /** Drops the kept pages whose addresses begin so. */
  forgetPages: (prefix: string) => void
  /** Drops those that lead to this thread. */
  forgetThread: (threadId: string) => void
}

/** Answers the way to the same endpoints in this process, for pages. */
export async function answerRoutes(parts: RouteParts): Promise<AppClient> {
  const { http, db, base, reading, site, auth, ratings, tracking } = parts
  const { hasRateLimits, proofs, searches, contextOf, htmlPage, forgetPages } = parts
  const { enableCompanies, enableDiscussions, enableJobs: hasJobs, enableDashboard } = site.flags
  const policies = createPolicies({ flags: site.flags, hasRateLimits, proofs })
  const bound: Bound[] = []
  const bind = <C extends Contract>(contract: C, handlers: Handlers<C>) => {
    bindContract(http, contract, handlers, { contextOf, policies })
    bound.push({ contract, handlers })
  }
  await describeApi(http, site.siteName)
  answerHealthChecks(http, db, { limits: parts.limits, signs: parts.signs })
  await answerAuth(http, {
    contextOf: () => ({ ...base, auth }),
    hasRateLimits: hasRateLimits,
    htmlPage,
  })
  bind(siteContract, siteHandlers(site))
  const suggestions = createSuggestions(searches)
  bind(companyContract, companyHandlers(suggestions, searches))
  bind(editContract, editHandlers)
  bind(trackingContract, trackingHandlers(tracking))
  if (enableCompanies) answerViews(http, tracking, contextOf)
  serveTrackingFiles(http, contextOf)
  await serveLogos(http, db, contextOf)
  db.news.onChange(suggestions.forget)
  await hearOfCompanies(db, (path) => {
    suggestions.forget()
    forgetPages(path)
    // Where its slug leads there, too, from where it is sent on.
    forgetPages(`/company${path}`)
  })
  bind(
    requestContract,
    requestHandlers({
      ownerEmail: auth.ownerEmail,
    }),
  )
  answerRequestNotices(http, { context: base, contextOf, hasRateLimits })
  bind(contactContract, contactHandlers)
  bind(scrapingContract, scrapingHandlers(parts.marketMovers))
  answerScraper(http, { source: parts.marketMovers, contextOf })
  await answerImports(http, contextOf, {
    batchesAtOnce: parts.batchesAtOnce,
    onImported: () => forgetPages('/'),
  })
  bind(administrationContract, administrationHandlers(auth))
  bind(accountContract, accountHandlers())
  bind(exportContract, exportHandlers(site))
  bind(discussionContract, discussionHandlers({ proofs, searches }))
  bind(moderationContract, moderationHandlers({ keepers: { ...postKeepers, note: noteKeeper } }))
  bind(notificationContract, notificationHandlers(newsSettingsOf(site.flags)))
  answerUnsubscribe(http, {
    context: base,
    siteName: site.siteName,
    htmlPage,
  })
  limitCrawlers(http, { hasRateLimits })
  if (enableDiscussions) answerFeeds(http, { context: reading, site })
  answerCrawlers(http, { context: reading, site })
  bind(followContract, followHandlers)
  bind(ratingContract, ratingHandlers(ratings))
  if (enableCompanies) serveRatingsCsv(http, reading, ratings)
  await hearOfRatings(db, forgetPages)
  bind(replyContract, replyHandlers)
  bind(claimContract, claimHandlers({ hasRateLimits, lookup: createTxtLookup() }))
  answerClaimLinks(http, { context: base, siteName: site.siteName, hasRateLimits, htmlPage })
  bind(jobContract, jobHandlers({ site, counts: parts.jobCounts, searches }))
  bind(savedJobContract, savedJobHandlers)
  bind(dashboardContract, dashboardHandlers({ hasJobs }))
  if (enableDashboard) serveDashboardCsv(http, contextOf, { hasJobs })
  await hearOfRemovals(db, parts.forgetThread)
  if (enableDiscussions)
    await streamNews(http, db, (threadId) => forgetPages(`/thread/${threadId}`))
  return createCaller<AppContract>({
    bound,
    policies,
    contextOf: () => contextOf({ network: PAGES_NETWORK, isReading: true }),
    onBug: (err, route) => http.log.error({ err, route }, 'a request failed'),
  })
}
