import sql from 'sql-template-tag'
import type { Feature } from '#app/api/feature.server.ts'
import { BADGES_SHOWN } from '#app/companies/badges/shown-badges.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { subscribe } from '#app/platform/database/events.server.ts'
import { HOUR_MS } from '#app/platform/jobs/days.server.ts'
import { REPLY_CHANGED } from '../replies/reply-commands.server.ts'
import { minuteOf } from '../reports/report.ts'
import { discussionContract } from './discussion.contract.ts'
import { PERIOD_MINUTES } from './discussion.ts'
import { discussionHandlers } from './discussion-api.server.ts'
import { registerFeeds } from './feeds/feed.server.ts'
import { publishThreadChange, streamThreadEvents } from './live/live.server.ts'
import { postRemovals } from './live/removal-events.server.ts'
import { carriedPosts } from './posts/carried-posts.server.ts'
import { removeThreadsAbout } from './posts/company-removal.server.ts'
import { forgetAuthor } from './posts/departure.server.ts'
import { countPostsAbout } from './posts/moved-posts.server.ts'
import { countRecentComments } from './posts/removal.server.ts'
import { carriedKeptThreads } from './threads/kept-threads.server.ts'
import { sumCred } from './votes/cred-job.server.ts'
import { createVisitorLimits } from './votes/visitor-limits.server.ts'
import { carriedVotes } from './votes/vote-keys.server.ts'

const recentSince = (now: () => Date) => minuteOf(now()) - PERIOD_MINUTES.week

export const discussions: Feature = {
  events: [
    subscribe(COMPANY_DELETED, ({ db }, { companyId }) => removeThreadsAbout(db, companyId)),
    subscribe(COMPANY_ROWS_MOVED, async ({ db, now }, { companyIds }) => {
      await countPostsAbout(db, companyIds, recentSince(now))
    }),
    subscribe(BADGES_SHOWN, async ({ db }, { domains }) => {
      const threads = await db.query<{ id: string }>(sql`
        select id from threads where badge_domain = any (${domains}::text[])
        union
        select thread_id from comments where badge_domain = any (${domains}::text[])`)
      for (const { id } of threads) publishThreadChange(db, id)
    }),
    subscribe(REPLY_CHANGED, ({ db }, { threadId }) => {
      if (threadId) publishThreadChange(db, threadId)
    }),
  ],
  async routes({ http, bind, db, reading, site, searches, hasRateLimits, issuer, ...pages }) {
    const visitorLimits = createVisitorLimits(hasRateLimits)
    bind(discussionContract, discussionHandlers({ searches, visitorLimits, issuer }))
    await postRemovals.subscribe(db, pages.forgetThread)
    if (!site.flags.enableDiscussions) return
    registerFeeds(http, { context: reading, site })
    await streamThreadEvents(http, db, (threadId) => pages.forgetPages(`/thread/${threadId}`))
  },
  jobs({ jobs, base: { now } }) {
    jobs.every('count-recent-comments', HOUR_MS, (db) => countRecentComments(db, recentSince(now)))
  },
  nightly: ({ base }) => [{ name: 'sum cred', run: () => sumCred(base) }],
  // What is kept refers to threads, and votes are carried by the thread of their comment.
  carried: [...carriedPosts, ...carriedKeptThreads, ...carriedVotes],
  forget: (person, { base }) => forgetAuthor(base, person),
}
