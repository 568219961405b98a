/** Binds the contract of discussions to queries and commands. */

import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { type Searches, searchingFreely } from '#app/platform/http/searches.server.ts'
import { addComment, deleteComment, editComment } from './comments/comment-commands.server.ts'
import { createCommentOrders } from './comments/comment-orders.server.ts'
import { commentSource, commentsPage, myComments } from './comments/comment-queries.server.ts'
import type { DiscussionContract } from './discussion.contract.ts'
import { usualSort } from './discussion.ts'
import { searchThreads } from './search/thread-search.server.ts'
import { muteThread, saveThread } from './threads/kept-threads.server.ts'
import {
  deleteThread,
  deleteThreadTitled,
  editThread,
  startThread,
} from './threads/thread-commands.server.ts'
import {
  allTopics,
  listThreads,
  mySavedThreads,
  myThread,
  myThreads,
  myThreadVotes,
  threadById,
  threadSource,
} from './threads/thread-queries.server.ts'
import type { VisitorLimits } from './votes/visitor-limits.server.ts'
import { voteComment, votePoll, voteThread } from './votes/vote-commands.server.ts'

export function discussionHandlers({
  searches = searchingFreely,
  visitorLimits,
  issuer,
}: {
  searches?: Searches
  visitorLimits?: VisitorLimits
  issuer: Issuer
}): Handlers<DiscussionContract> {
  const orders = createCommentOrders()
  return {
    'GET /api/v1/topics': (ctx) => allTopics(ctx),
    'GET /api/v1/threads': (ctx, { query: { search, sort = usualSort(search), ...query } }) =>
      search
        ? searches.run(ctx, () => searchThreads(ctx, { ...query, sort, search }))
        : listThreads(ctx, { ...query, sort: sort === 'relevance' ? 'hot' : sort }),
    'POST /api/v1/threads': (ctx, { body }) => startThread(ctx, body, issuer),
    'GET /api/v1/thread-votes': (ctx, { query }) => myThreadVotes(ctx, query.threads),
    'GET /api/v1/threads/{id}': (ctx, { params }) => threadById(ctx, params.id),
    'PATCH /api/v1/threads/{id}': (ctx, { params, body }) => editThread(ctx, params.id, body),
    'DELETE /api/v1/threads/{id}': (ctx, { params }) => deleteThread(ctx, params.id),
    'GET /api/v1/threads/{id}/source': (ctx, { params }) => threadSource(ctx, params.id),
    'GET /api/v1/threads/{id}/mine': (ctx, { params }) => myThread(ctx, params.id),
    'PUT /api/v1/threads/{id}/vote': (ctx, { params, body }) =>
      voteThread(ctx, params.id, body.vote, visitorLimits),
    'PUT /api/v1/threads/{id}/saved': (ctx, { params, body }) =>
      saveThread(ctx, params.id, body.isSaved),
    'PUT /api/v1/threads/{id}/muted': (ctx, { params, body }) =>
      muteThread(ctx, params.id, body.isMuted),
    'PUT /api/v1/threads/{id}/poll': (ctx, { params, body }) =>
      votePoll(ctx, params.id, body.place, visitorLimits),
    'GET /api/v1/threads/{id}/comments': (ctx, { params, query }) =>
      commentsPage(ctx, params.id, query, orders),
    'POST /api/v1/threads/{id}/comments': (ctx, { params, body }) =>
      addComment(ctx, params.id, body, issuer),
    'GET /api/v1/comments/{id}/source': (ctx, { params }) => commentSource(ctx, params.id),
    'PATCH /api/v1/comments/{id}': (ctx, { params, body }) =>
      editComment(ctx, params.id, body.body, body.before?.body),
    'DELETE /api/v1/comments/{id}': (ctx, { params }) => deleteComment(ctx, params.id),
    'PUT /api/v1/comments/{id}/vote': (ctx, { params, body }) =>
      voteComment(ctx, params.id, body.vote, visitorLimits),
    'POST /api/v1/my/threads/deletion': (ctx, { body }) => deleteThreadTitled(ctx, body.title),
    'GET /api/v1/my/threads': (ctx, { query }) => myThreads(ctx, query.after),
    'GET /api/v1/my/saved': (ctx, { query }) => mySavedThreads(ctx, query.after),
    'GET /api/v1/my/comments': (ctx, { query }) => myComments(ctx, query.after),
  }
}
