import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { POST_ADDED_TASK } from '#app/community/discussions/posts/posting.server.ts'
import { COMPANY_REPLIED_TASK } from '#app/community/replies/reply-commands.server.ts'
import { POLICY_CHANGED_TASK } from '#app/companies/edits/edit-commands.server.ts'
import { JOB_POSTED_TASK } from '#app/jobs/postings/job-commands.server.ts'
import { DAY_MS } from '#app/platform/days.server.ts'
import { holdNewPosts } from '../new-posts.server.ts'
import { AUTHOR_NOTICE_TASK } from '../posts.server.ts'
import { alertOfJobs, alertOfPolicy, alertOfScores } from './alerts.server.ts'
import { DIGEST_MAIL_TASK, queueDigests, sendDigest } from './digest.server.ts'
import {
  chooseDigest,
  DIGEST_ACCOUNT,
  ownDigest,
  registerUnsubscribe,
} from './digest-choice.server.ts'
import { type NotificationContract, notificationContract } from './notification.contract.ts'
import {
  forgetReader,
  markAllRead,
  markRead,
  sweepNotifications,
} from './notification-commands.server.ts'
import {
  listNotifications,
  type NotificationSettings,
  notificationSettingsOf,
  unreadCount,
} from './notification-queries.server.ts'
import { notifyAuthor, notifyOfCompanyReply, notifyOfPosts } from './notification-tasks.server.ts'

/** Other writers in these threads must wait for these few statements. */
const POSTS_BATCH = 50
const JOBS_BATCH = 50

export const notificationHandlers = (
  settings: NotificationSettings,
): Handlers<NotificationContract> => ({
  'GET /api/v1/notifications': (ctx, { query }) => listNotifications(ctx, query.after, settings),
  'GET /api/v1/notifications/unread': (ctx) => unreadCount(ctx, settings),
  'PUT /api/v1/notifications/{id}/read': (ctx, { params, body }) =>
    markRead(ctx, params.id, body.isRead, settings),
  'POST /api/v1/notifications/read': (ctx) => markAllRead(ctx, settings),
  'GET /api/v1/my/digest': (ctx) => ownDigest(ctx),
  'PUT /api/v1/my/digest': (ctx, { body }) => chooseDigest(ctx, body.digest),
})

export const notifications: Feature = {
  sealed: [DIGEST_ACCOUNT],
  routes({ http, bind, base, config, htmlPage }) {
    bind(notificationContract, notificationHandlers(notificationSettingsOf(config.flags)))
    registerUnsubscribe(http, { context: base, site: config, htmlPage })
  },
  tasks({ queue, base, config }) {
    queue.handleBatch(POST_ADDED_TASK, POSTS_BATCH, async (posts) => {
      // Runs first, because a held post isn't news.
      await holdNewPosts(base, posts)
      await notifyOfPosts(base, posts)
    })
    queue.handle(AUTHOR_NOTICE_TASK, (notice) => notifyAuthor(base, notice))
    queue.handle(COMPANY_REPLIED_TASK, (replied) => notifyOfCompanyReply(base, replied))
    queue.handle(POLICY_CHANGED_TASK, (change) => alertOfPolicy(base, change))
    queue.handleBatch(JOB_POSTED_TASK, JOBS_BATCH, (opened) => alertOfJobs(base, opened))
    queue.every('alert-of-scores', DAY_MS, (db) => alertOfScores({ ...base, db }))
    if (!config.flags.enableNotifications) return
    const settings = notificationSettingsOf(config.flags)
    queue.every('queue-digests', DAY_MS, (db) => queueDigests({ ...base, db }, 'daily', settings))
    queue.every('queue-weekly-digests', 7 * DAY_MS, (db) =>
      queueDigests({ ...base, db }, 'weekly', settings),
    )
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep notifications', run: () => sweepNotifications({ db, now }) },
  ],
  mails: [
    mailTask(DIGEST_MAIL_TASK, async ({ base, auth, config }, mailer, payload) => {
      if (config.flags.enableNotifications) await sendDigest(base, mailer, auth, payload)
    }),
  ],
  forget: ({ root }, { base }) => forgetReader(base, root),
}
