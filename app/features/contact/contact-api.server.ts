/** Binds the contract of contact messages to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import { answerMessage } from './answer-commands.server.ts'
import type { ContactContract } from './contact.contract.ts'
import { changeStatus, sendMessage } from './contact-commands.server.ts'
import { contactMessages, unreadMessages } from './contact-queries.server.ts'

/** Messages per network, however many people are behind it. */
const LIMIT = { uses: 10, seconds: 600 }

export function contactHandlers({
  hasRateLimits,
  proofs,
}: {
  hasRateLimits: boolean
  proofs: { demand(ctx: Ctx, proof: string | undefined): Promise<void> }
}): Handlers<ContactContract> {
  const limit = createRateLimit({ name: 'contact', ...LIMIT, isOn: hasRateLimits })
  return {
    'POST /api/v1/contact-messages': async (ctx, { body }) => {
      const wait = await limit.use(ctx.network)
      if (wait !== undefined)
        throw new Refusal('too-many', `That was a lot at once. Please wait ${wait} seconds.`)
      await proofs.demand(ctx, body.proof)
      return sendMessage(ctx, body)
    },
    'GET /api/v1/contact-messages': (ctx, { query }) => contactMessages(ctx, query),
    'GET /api/v1/contact-messages/unread': (ctx) => unreadMessages(ctx),
    'PUT /api/v1/contact-messages/{id}/status': (ctx, { params, body }) =>
      changeStatus(ctx, params.id, body.status),
    'POST /api/v1/contact-messages/{id}/answers': (ctx, { params, body }) =>
      answerMessage(ctx, params.id, body),
  }
}
