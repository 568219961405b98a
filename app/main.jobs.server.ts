/** What is done apart from answering: what follows from a commit, and what comes round. */

import {
  ACCOUNT_DELETED,
  type AccountDeleted,
} from './features/accounts/account-commands.server.ts'
import {
  ADMIN_ACTED,
  type AdminActed,
} from './features/accounts/administrators/admin-act.server.ts'
import { logToldAct } from './features/accounts/administrators/admin-log.server.ts'
import { sweepSessions } from './features/accounts/auth-server/session-commands.server.ts'
import { sweepClaims } from './features/claims/claim-commands.server.ts'
import { POLICY_CHANGED } from './features/companies/edits/edit-commands.server.ts'
import { forgetEditor } from './features/companies/edits/edit-departure.server.ts'
import { LOGO_FETCH } from './features/companies/logos/logo-commands.server.ts'
import { settleLeftSearchEntries } from './features/companies/search/search-entries.server.ts'
import { sweepContactMessages } from './features/contact/contact-commands.server.ts'
import { releaseDashboards } from './features/dashboard/release-job.server.ts'
import { PERIOD_MINUTES } from './features/discussions/discussion.ts'
import { forgetAuthor } from './features/discussions/posts/departure.server.ts'
import { postKeepers } from './features/discussions/posts/keepers.server.ts'
import { POST_ADDED, type PostAdded } from './features/discussions/posts/posting.server.ts'
import { countRecentComments } from './features/discussions/posts/removal.server.ts'
import { IMPORTED_LOGO } from './features/importing/import-commands.server.ts'
import type { ImportedLogo } from './features/importing/imported-logo-job.server.ts'
import {
  expireJobs,
  JOB_POSTED,
  type JobPosted,
} from './features/jobs/postings/job-commands.server.ts'
import { holdBursts } from './features/moderation/burst.server.ts'
import { POST_RULED, type PostRuled } from './features/moderation/ruling.server.ts'
import {
  forgetReporter,
  sweepSuspensions,
} from './features/moderation/suspension-commands.server.ts'
import { alertOfPolicy, alertOfScores } from './features/notifications/alert-job.server.ts'
import { notifyOfCompanyReply } from './features/notifications/company-reply-news.server.ts'
import { queueDigests } from './features/notifications/digest.server.ts'
import { alertOfJobs } from './features/notifications/job-news.server.ts'
import {
  forgetReader,
  sweepNotifications,
} from './features/notifications/notification-commands.server.ts'
import { notifyOfPosts, notifyOfRuling } from './features/notifications/notification-job.server.ts'
import { newsSettingsOf } from './features/notifications/notification-queries.server.ts'
import { noteKeeper } from './features/ratings/keepers.server.ts'
import type { RatingSettings } from './features/ratings/rating-commands.server.ts'
import { forgetRater } from './features/ratings/rating-departure.server.ts'
import { refreshSurges } from './features/ratings/score.server.ts'
import { shuffleRatings } from './features/ratings/shuffle.server.ts'
import { COMPANY_REPLIED, type CompanyReplied } from './features/replies/reply-commands.server.ts'
import { minuteOf } from './features/reports/report.ts'
import { countDays } from './features/tracking/daily-count-job.server.ts'
import { forgetDayKeys } from './features/tracking/day-key.server.ts'
import type { ServerContext } from './server/context.server.ts'
import { sweepGivenUpMails } from './server/given-up.server.ts'
import type { Jobs } from './server/jobs.server.ts'
import type { SiteConfig } from './session/site.contract.ts'

/** Whoever writes to their threads waits for these few statements. */
const POSTS_TOGETHER = 50
const JOBS_TOGETHER = 50
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface JobParts {
  base: ServerContext
  jobs: Jobs
  ratings: RatingSettings
  site: Pick<SiteConfig, 'flags'>
}

/** Says how each kind of job is done, but for those that write to somebody: see main.mails. */
export function handleJobs({ base, jobs, ratings, site }: JobParts) {
  const { now, secrets } = base
  jobs.handle<AccountDeleted>(ACCOUNT_DELETED, async ({ sealedKey, sealedAccount, posts }) => {
    const authorKey = secrets.open(sealedKey)
    await forgetAuthor(base, { authorKey, posts })
    await forgetReporter(base, authorKey)
    await forgetReader(base, authorKey)
    await forgetEditor(base, { authorKey })
    if (sealedAccount)
      await forgetRater(base, { accountId: secrets.open(sealedAccount), posts }, ratings)
  })
  jobs.handleTogether<PostAdded>(POST_ADDED, POSTS_TOGETHER, async (posts) => {
    await holdBursts(base, { ...postKeepers, note: noteKeeper }, posts)
    await notifyOfPosts(base, posts)
  })
  jobs.handle<{ companyId: string }>(POLICY_CHANGED, (change) => alertOfPolicy(base, change))
  jobs.every('alert-of-scores', DAY_MS, (db) => alertOfScores({ db, now }))
  jobs.handle<PostRuled>(POST_RULED, (ruling) => notifyOfRuling(base, ruling))
  jobs.every('queue-digests', DAY_MS, (db) =>
    queueDigests({ ...base, db }, newsSettingsOf(site.flags)),
  )
  jobs.every('sweep-notifications', DAY_MS, (db) => sweepNotifications({ db, now }))
  jobs.every('sweep-suspensions', DAY_MS, (db) => sweepSuspensions({ db, now }))
  jobs.every('count-recent-comments', HOUR_MS, (db) =>
    countRecentComments(db, minuteOf(now()) - PERIOD_MINUTES.week),
  )
  jobs.every('shuffle-ratings', DAY_MS, shuffleRatings)
  jobs.every('refresh-surges', DAY_MS, (db) =>
    refreshSurges(db, { today: now().toISOString().slice(0, 10), minShown: ratings.minShown }),
  )
  // A decoder and a parser that few processes ever need.
  jobs.handle<{ companyId: string }>(LOGO_FETCH, async (payload) => {
    const { fetchLogo } = await import('./features/companies/logos/logo-job.server.ts')
    await fetchLogo(base, payload)
  })
  jobs.handle<ImportedLogo>(IMPORTED_LOGO, async (payload) => {
    const { fetchImportedLogo } = await import('./features/importing/imported-logo-job.server.ts')
    await fetchImportedLogo(base, payload)
  })
  jobs.every('settle-search-entries', HOUR_MS, settleLeftSearchEntries)
  jobs.every('sweep-claims', DAY_MS, (db) => sweepClaims({ db, now }))
  jobs.handle<CompanyReplied>(COMPANY_REPLIED, (replied) => notifyOfCompanyReply(base, replied))
  if (site.flags.enableDashboard)
    jobs.every('release-dashboards', HOUR_MS, (db) =>
      releaseDashboards(
        { db, now },
        { minShown: ratings.minShown, hasJobs: site.flags.enableJobs },
      ),
    )
  jobs.handleTogether<JobPosted>(JOB_POSTED, JOBS_TOGETHER, (opened) => alertOfJobs(base, opened))
  jobs.every('expire-jobs', HOUR_MS, (db) => expireJobs({ db, now }))
  jobs.every('sweep-contact-messages', DAY_MS, (db) => sweepContactMessages({ db, now }))
  jobs.handle<AdminActed>(ADMIN_ACTED, (told) => logToldAct(base, told))
  jobs.every('count-days', HOUR_MS, (db) => countDays({ db, now }))
  jobs.every('forget-interaction-keys', HOUR_MS, async (db) => {
    await forgetDayKeys(db, now().toISOString().slice(0, 10))
  })
  jobs.every('sweep-given-up-mails', DAY_MS, (db) => sweepGivenUpMails({ db, now }))
  jobs.every('sweep-sessions', DAY_MS, (db) => sweepSessions({ db, now }))
}
