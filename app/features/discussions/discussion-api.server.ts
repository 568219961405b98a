/** Binds the contract of discussions to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { isUnproven, type Proofs } from '../../auth/proof.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import { type Searches, searchingFreely } from '../../server/searches.server.ts'
import { addComment, deleteComment, editComment } from './comment-commands.server.ts'
import { commentSource, commentsPage, myComments } from './comment-queries.server.ts'
import type { DiscussionContract } from './discussion.contract.ts'
import {
  deleteThread,
  deleteThreadTitled,
  editThread,
  muteThread,
  saveThread,
  startThread,
  votePoll,
} from './thread-commands.server.ts'
import {
  allTopics,
  listThreads,
  mySavedThreads,
  myThread,
  myThreads,
  threadById,
  threadSource,
} from './thread-queries.server.ts'
import { searchThreads } from './thread-search.server.ts'
import { voteComment, voteThread } from './vote-commands.server.ts'

/** Per person and, three times as many, per network: uses in so many seconds. */
const LIMITS = {
  threads: { uses: 5, seconds: 600 },
  comments: { uses: 20, seconds: 300 },
  changes: { uses: 40, seconds: 300 },
  votes: { uses: 120, seconds: 300 },
} as const
const NETWORK_FACTOR = 3
/**
 * Visitors, and members whose address is unconfirmed, have the share of a member's uses that this
 * divides by, at least one: another anonymous id or account costs them nothing.
 */
const UNPROVEN_DIVISOR = 3

export function discussionHandlers({
  hasRateLimits,
  proofs,
  searches = searchingFreely,
}: {
  hasRateLimits: boolean
  proofs: Proofs
  searches?: Searches
}): Handlers<DiscussionContract> {
  const limits = createLimits(hasRateLimits)
  return {
    'GET /api/v1/challenge': (ctx) => proofs.challenge(ctx),
    'GET /api/v1/topics': (ctx) => allTopics(ctx),
    'GET /api/v1/threads': (ctx, { query: { search, ...query } }) =>
      search
        ? searches.run(ctx, () => searchThreads(ctx, { ...query, search }))
        : listThreads(ctx, query),
    'POST /api/v1/threads': async (ctx, { body }) => {
      await limits.use(ctx, 'threads')
      await proofs.demand(ctx, body.proof)
      return startThread(ctx, body)
    },
    'GET /api/v1/threads/{id}': (ctx, { params }) => threadById(ctx, params.id),
    'PATCH /api/v1/threads/{id}': async (ctx, { params, body }) => {
      await limits.use(ctx, 'changes')
      return editThread(ctx, params.id, body)
    },
    'DELETE /api/v1/threads/{id}': (ctx, { params }) => deleteThread(ctx, params.id),
    'GET /api/v1/threads/{id}/source': (ctx, { params }) => threadSource(ctx, params.id),
    'GET /api/v1/threads/{id}/mine': (ctx, { params }) => myThread(ctx, params.id),
    'PUT /api/v1/threads/{id}/vote': async (ctx, { params, body }) => {
      await limits.use(ctx, 'votes')
      return voteThread(ctx, params.id, body.vote)
    },
    'PUT /api/v1/threads/{id}/saved': (ctx, { params, body }) =>
      saveThread(ctx, params.id, body.isSaved),
    'PUT /api/v1/threads/{id}/muted': (ctx, { params, body }) =>
      muteThread(ctx, params.id, body.isMuted),
    'PUT /api/v1/threads/{id}/poll': async (ctx, { params, body }) => {
      await limits.use(ctx, 'votes')
      return votePoll(ctx, params.id, body.place)
    },
    'GET /api/v1/threads/{id}/comments': (ctx, { params, query }) =>
      commentsPage(ctx, params.id, query),
    'POST /api/v1/threads/{id}/comments': async (ctx, { params, body }) => {
      await limits.use(ctx, 'comments')
      await proofs.demand(ctx, body.proof)
      return addComment(ctx, params.id, body)
    },
    'GET /api/v1/comments/{id}/source': (ctx, { params }) => commentSource(ctx, params.id),
    'PATCH /api/v1/comments/{id}': async (ctx, { params, body }) => {
      await limits.use(ctx, 'changes')
      return editComment(ctx, params.id, body.body)
    },
    'DELETE /api/v1/comments/{id}': (ctx, { params }) => deleteComment(ctx, params.id),
    'PUT /api/v1/comments/{id}/vote': async (ctx, { params, body }) => {
      await limits.use(ctx, 'votes')
      return voteComment(ctx, params.id, body.vote)
    },
    'POST /api/v1/my/threads/deletion': (ctx, { body }) => deleteThreadTitled(ctx, body.title),
    'GET /api/v1/my/threads': (ctx, { query }) => myThreads(ctx, query.after),
    'GET /api/v1/my/saved': (ctx, { query }) => mySavedThreads(ctx, query.after),
    'GET /api/v1/my/comments': (ctx, { query }) => myComments(ctx, query.after),
  }
}

function createLimits(isOn: boolean) {
  const limits = Object.fromEntries(
    Object.entries(LIMITS).map(([what, { uses, seconds }]) => [
      what,
      {
        person: createRateLimit({ name: what, uses, seconds, isOn }),
        unproven: createRateLimit({
          name: `${what}-unproven`,
          uses: Math.max(1, Math.floor(uses / UNPROVEN_DIVISOR)),
          seconds,
          isOn,
        }),
        network: createRateLimit({
          name: `${what}-network`,
          uses: uses * NETWORK_FACTOR,
          seconds,
          isOn,
        }),
      },
    ]),
  )
  return {
    /** @throws Refusal too-many with the time to wait */
    async use({ actor, network }: Ctx, what: keyof typeof LIMITS) {
      const limit = limits[what]
      const own = isUnproven(actor) ? limit?.unproven : limit?.person
      const waits = [
        await limit?.network.use(network),
        actor.authorKey === null ? undefined : await own?.use(actor.authorKey),
      ]
      const wait = Math.max(...waits.map((seconds) => seconds ?? 0))
      if (wait > 0)
        throw new Refusal('too-many', `That was a lot at once. Please wait ${wait} seconds.`)
    },
  }
}
