/** What is done apart from answering: what follows from a commit, and what comes round. */

import {
  ACCOUNT_DELETED,
  type AccountDeleted,
} from './features/accounts/account-commands.server.ts'
import { ACCOUNT_MAIL, type MailPayload } from './features/accounts/account-mail.server.ts'
import { sendAccountMail } from './features/accounts/account-mail-job.server.ts'
import type { AuthSettings } from './features/accounts/auth-context.server.ts'
import { sweepSessions } from './features/accounts/session-commands.server.ts'
import { POLICY_CHANGED } from './features/companies/edit-commands.server.ts'
import { forgetEditor } from './features/companies/edit-departure.server.ts'
import { LOGO_FETCH } from './features/companies/logo-commands.server.ts'
import { forgetAuthor } from './features/discussions/departure.server.ts'
import { minuteOf, PERIOD_MINUTES } from './features/discussions/discussion.ts'
import { postKeepers } from './features/discussions/keepers.server.ts'
import { POST_ADDED, type PostAdded } from './features/discussions/posting.server.ts'
import { countRecentComments } from './features/discussions/removal.server.ts'
import { holdBursts } from './features/moderation/burst.server.ts'
import { POST_RULED, type PostRuled } from './features/moderation/ruling.server.ts'
import {
  forgetReporter,
  sweepSuspensions,
} from './features/moderation/suspension-commands.server.ts'
import { alertOfPolicy, alertOfScores } from './features/notifications/alert-job.server.ts'
import {
  DIGEST_MAIL,
  type DigestPayload,
  queueDigests,
  sendDigest,
} from './features/notifications/digest.server.ts'
import {
  forgetReader,
  sweepNotifications,
} from './features/notifications/notification-commands.server.ts'
import { notifyOfPosts, notifyOfRuling } from './features/notifications/notification-job.server.ts'
import { noteKeeper } from './features/ratings/keepers.server.ts'
import type { RatingSettings } from './features/ratings/rating-commands.server.ts'
import { forgetRater } from './features/ratings/rating-departure.server.ts'
import { refreshSurges } from './features/ratings/score.server.ts'
import { shuffleRatings } from './features/ratings/shuffle.server.ts'
import { forgetDayKeys } from './features/tracking/day-key.server.ts'
import type { ServerContext } from './server/context.server.ts'
import type { Jobs } from './server/jobs.server.ts'
import type { Mailer } from './server/mail.server.ts'

/** Whoever writes to their threads waits for these few statements. */
const POSTS_TOGETHER = 50
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface JobParts {
  base: ServerContext
  jobs: Jobs
  mailer: Mailer
  auth: AuthSettings
  ratings: RatingSettings
}

/** Says how each kind of job is done. */
export function handleJobs({ base, jobs, mailer, auth, ratings }: JobParts) {
  const { now, secrets } = base
  jobs.handle<MailPayload>(ACCOUNT_MAIL, (payload) =>
    sendAccountMail({ ...base, auth }, mailer, payload),
  )
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
  jobs.handle<DigestPayload>(DIGEST_MAIL, (payload) => sendDigest(base, mailer, auth, payload))
  jobs.every('queue-digests', DAY_MS, (db) => queueDigests({ ...base, db }))
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
    const { fetchLogo } = await import('./features/companies/logo-job.server.ts')
    await fetchLogo(base, payload)
  })
  jobs.every('forget-interaction-keys', HOUR_MS, async (db) => {
    await forgetDayKeys(db, now().toISOString().slice(0, 10))
  })
  jobs.every('sweep-sessions', DAY_MS, (db) => sweepSessions({ db, now }))
}
