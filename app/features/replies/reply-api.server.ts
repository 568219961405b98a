/** Binds the contract of companies' replies to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import type { ReplyContract } from './reply.contract.ts'
import {
  changeReply,
  type ReplyDesk,
  removeReply,
  replyToNote,
  replyToThread,
} from './reply-commands.server.ts'
import { replyRights, replySource, replyVersions } from './reply-queries.server.ts'

/** Per person: uses in so many seconds. A history that grows faster than this is read by nobody. */
const WRITES = { uses: 30, seconds: 600 }

export function replyHandlers({
  hasRateLimits,
  ...desk
}: ReplyDesk & { hasRateLimits: boolean }): Handlers<ReplyContract> {
  const writes = createRateLimit({ name: 'replies', ...WRITES, isOn: hasRateLimits })
  const limited = async ({ actor }: Ctx) => {
    const wait = await writes.use(actor.authorKey ?? '')
    if (wait !== undefined)
      throw new Refusal('too-many', `That was a lot at once. Please wait ${wait} seconds.`)
  }
  return {
    'GET /api/v1/my/reply-rights': (ctx, { query }) => replyRights(ctx, query.company),
    'POST /api/v1/threads/{id}/company-reply': async (ctx, { params, body }) => {
      await limited(ctx)
      return replyToThread(ctx, params.id, body.text, desk)
    },
    'POST /api/v1/notes/{id}/company-reply': async (ctx, { params, body }) => {
      await limited(ctx)
      return replyToNote(ctx, params.id, body.text, desk)
    },
    'GET /api/v1/company-replies/{id}/versions': (ctx, { params, query }) =>
      replyVersions(ctx, params.id, query.before),
    'GET /api/v1/company-replies/{id}/source': (ctx, { params }) => replySource(ctx, params.id),
    'PATCH /api/v1/company-replies/{id}': async (ctx, { params, body }) => {
      await limited(ctx)
      return changeReply(ctx, params.id, body, desk)
    },
    'DELETE /api/v1/company-replies/{id}': async (ctx, { params }) => {
      await limited(ctx)
      return removeReply(ctx, params.id, desk)
    },
  }
}
