import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { BADGES_SHOWN } from '#app/companies/badges/post-badges.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { HOUR_MS, minuteOf } from '#app/platform/days.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'
import { COMPANY_REPLY_CHANGED } from '../replies/reply-commands.server.ts'
import { addComment, deleteComment, editComment } from './comments/comment-commands.server.ts'
import { createCommentOrders } from './comments/comment-orders.server.ts'
import { commentSource, commentsPage, myComments } from './comments/comment-queries.server.ts'
import { type DiscussionContract, discussionContract } from './discussion.contract.ts'
import { PERIOD_MINUTES } from './discussion.ts'
import { registerFeeds } from './feeds/feed.server.ts'
import { broadcastThreadChange, postRemovals, streamThreadEvents } from './live/live.server.ts'
import {
  countPostsAbout,
  countRecentComments,
  forgetAuthor,
  removeThreadsAbout,
} from './posts/removal.server.ts'
import { listOrSearch } from './search/thread-search.server.ts'
import { muteThread, saveThread } from './threads/saved-threads.server.ts'
import {
  deleteThread,
  deleteThreadTitled,
  editThread,
  startThread,
} from './threads/thread-commands.server.ts'
import {
  allTopics,
  companyTopics,
  mySavedThreads,
  myThread,
  myThreads,
  myThreadVotes,
  threadById,
  threadSource,
  threadsWithBadges,
} from './threads/thread-queries.server.ts'
import { voteComment, votePoll, voteThread } from './votes/vote-commands.server.ts'
import { sumCred } from './votes/vote-counts.server.ts'
import { createUntrustedLimits, type UntrustedLimits } from './votes/vote-rules.server.ts'

const recentSince = (now: () => Date) => minuteOf(now()) - PERIOD_MINUTES.week

export function discussionHandlers({
  searches,
  untrustedLimits,
  issuer,
}: {
  searches: Searches
  untrustedLimits: UntrustedLimits
  issuer: Issuer
}): Handlers<DiscussionContract> {
  const orders = createCommentOrders()
  return {
    'GET /api/v1/topics': (ctx) => allTopics(ctx),
    'GET /api/v1/companies/{id}/topics': (ctx, { params }) => companyTopics(ctx, params.id),
    'GET /api/v1/threads': (ctx, { query }) => listOrSearch(ctx, query, searches),
    'POST /api/v1/threads': (ctx, { body }) => startThread(ctx, body, issuer),
    'GET /api/v1/thread-votes': (ctx, { query }) => myThreadVotes(ctx, query.threads),
    'GET /api/v1/threads/{id}': (ctx, { params }) => threadById(ctx, params.id),
    'PATCH /api/v1/threads/{id}': (ctx, { params, body }) => editThread(ctx, params.id, body),
    'DELETE /api/v1/threads/{id}': (ctx, { params }) => deleteThread(ctx, params.id),
    'GET /api/v1/threads/{id}/source': (ctx, { params }) => threadSource(ctx, params.id),
    'GET /api/v1/threads/{id}/mine': (ctx, { params }) => myThread(ctx, params.id),
    'PUT /api/v1/threads/{id}/vote': (ctx, { params, body }) =>
      voteThread(ctx, params.id, body.vote, untrustedLimits),
    'PUT /api/v1/threads/{id}/saved': (ctx, { params, body }) =>
      saveThread(ctx, params.id, body.isSaved),
    'PUT /api/v1/threads/{id}/muted': (ctx, { params, body }) =>
      muteThread(ctx, params.id, body.isMuted),
    'PUT /api/v1/threads/{id}/poll': (ctx, { params, body }) =>
      votePoll(ctx, params.id, body.optionIndex, untrustedLimits),
    'GET /api/v1/threads/{id}/comments': (ctx, { params, query }) =>
      commentsPage(ctx, params.id, query, orders),
    'POST /api/v1/threads/{id}/comments': (ctx, { params, body }) =>
      addComment(ctx, params.id, body, issuer),
    'GET /api/v1/comments/{id}/source': (ctx, { params }) => commentSource(ctx, params.id),
    'PATCH /api/v1/comments/{id}': (ctx, { params, body }) =>
      editComment(ctx, params.id, body.body, body.before?.body),
    'DELETE /api/v1/comments/{id}': (ctx, { params }) => deleteComment(ctx, params.id),
    'PUT /api/v1/comments/{id}/vote': (ctx, { params, body }) =>
      voteComment(ctx, params.id, body.vote, untrustedLimits),
    'POST /api/v1/my/threads/deletion': (ctx, { body }) => deleteThreadTitled(ctx, body.title),
    'GET /api/v1/my/threads': (ctx, { query }) => myThreads(ctx, query.after),
    'GET /api/v1/my/saved': (ctx, { query }) => mySavedThreads(ctx, query.after),
    'GET /api/v1/my/comments': (ctx, { query }) => myComments(ctx, query.after),
  }
}

export const discussions: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, ({ db }, { companyId }) => removeThreadsAbout(db, companyId)),
    subscribe(COMPANY_ROWS_MOVED, async ({ db, now }, { companyIds }) => {
      await countPostsAbout(db, companyIds, recentSince(now))
    }),
    subscribe(BADGES_SHOWN, async ({ db }, { domains }) => {
      for (const id of await threadsWithBadges(db, domains)) broadcastThreadChange(db, id)
    }),
    subscribe(COMPANY_REPLY_CHANGED, ({ db }, { threadId }) => {
      if (threadId) broadcastThreadChange(db, threadId)
    }),
  ],
  async routes({ http, bind, db, reading, config, auth, searches, issuer, ...pages }) {
    const untrustedLimits = createUntrustedLimits(config.hasRateLimits)
    bind(discussionContract, discussionHandlers({ searches, untrustedLimits, issuer }))
    await postRemovals.subscribe(db, pages.forgetThread)
    if (!config.flags.enableDiscussions) return
    registerFeeds(http, { context: reading, auth, flags: config.flags })
    await streamThreadEvents(http, db, (threadId) => pages.forgetPages(`/thread/${threadId}`))
  },
  tasks({ queue, base: { now } }) {
    queue.every('count-recent-comments', HOUR_MS, (db) => countRecentComments(db, recentSince(now)))
  },
  nightly: ({ base }) => [{ name: 'sum cred', run: () => sumCred(base) }],
  forget: (person, { base }) => forgetAuthor(base, person),
}
