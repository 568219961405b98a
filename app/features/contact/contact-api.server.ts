/** Binds the contract of contact messages to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import { answerMessage } from './answer-commands.server.ts'
import type { ContactContract } from './contact.contract.ts'
import { changeStatus, sendMessage } from './contact-commands.server.ts'
import { contactMessages, unreadMessages } from './contact-queries.server.ts'

export const contactHandlers: Handlers<ContactContract> = {
  'POST /api/v1/contact-messages': (ctx, { body }) => sendMessage(ctx, body),
  'GET /api/v1/contact-messages': (ctx, { query }) => contactMessages(ctx, query),
  'GET /api/v1/contact-messages/unread': (ctx) => unreadMessages(ctx),
  'PUT /api/v1/contact-messages/{id}/status': (ctx, { params, body }) =>
    changeStatus(ctx, params.id, body.status),
  'POST /api/v1/contact-messages/{id}/answers': (ctx, { params, body }) =>
    answerMessage(ctx, params.id, body),
}
