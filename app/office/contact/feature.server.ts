import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import {
  answerMessage,
  CONTACT_ANSWER_TASK,
  changeSavedAnswer,
  deleteSavedAnswer,
  saveAnswer,
  sendAnswer,
} from './answer-commands.server.ts'
import { type ContactContract, contactContract } from './contact.contract.ts'
import {
  addLabel,
  assignMessage,
  changeStatus,
  forgetUnusedLabels,
  removeLabel,
  sendMessage,
  sweepContactMessages,
} from './contact-commands.server.ts'
import {
  CONTACT_EMAIL,
  contactChoices,
  contactMessages,
  savedAnswers,
  unreadMessages,
} from './contact-queries.server.ts'

interface ContactSite {
  siteUrl: () => string
  /** Hours to answer a legal notice. */
  legalNoticeHours: number
}

export const contactHandlers = (site: ContactSite): Handlers<ContactContract> => ({
  'POST /api/v1/contact-messages': (ctx, { body }) => sendMessage(ctx, body, site),
  'GET /api/v1/contact-messages': (ctx, { query }) => contactMessages(ctx, query, site),
  'GET /api/v1/contact-messages/unread': (ctx) => unreadMessages(ctx),
  'PUT /api/v1/contact-messages/{id}/status': (ctx, { params, body }) =>
    changeStatus(ctx, params.id, body.status),
  'POST /api/v1/contact-messages/{id}/answers': (ctx, { params, body }) =>
    answerMessage(ctx, params.id, body),
  'GET /api/v1/contact-messages/choices': (ctx) => contactChoices(ctx),
  'PUT /api/v1/contact-messages/{id}/assignee': (ctx, { params, body }) =>
    assignMessage(ctx, params.id, body),
  'PUT /api/v1/contact-messages/{id}/labels/{label}': (ctx, { params }) =>
    addLabel(ctx, params.id, params.label),
  'DELETE /api/v1/contact-messages/{id}/labels/{label}': (ctx, { params }) =>
    removeLabel(ctx, params.id, params.label),
  'GET /api/v1/saved-answers': (ctx) => savedAnswers(ctx),
  'POST /api/v1/saved-answers': (ctx, { body }) => saveAnswer(ctx, body),
  'PUT /api/v1/saved-answers/{id}': (ctx, { params, body }) =>
    changeSavedAnswer(ctx, params.id, body),
  'DELETE /api/v1/saved-answers/{id}': (ctx, { params }) => deleteSavedAnswer(ctx, params.id),
})

export const contact: Feature = {
  sealed: [CONTACT_EMAIL],
  routes({ bind, config, auth }) {
    bind(contactContract, contactHandlers({ ...config, siteUrl: auth.siteUrl }))
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep contact messages', run: () => sweepContactMessages({ db, now }) },
    { name: 'forget unused labels', run: () => forgetUnusedLabels(db) },
  ],
  mails: [
    mailTask(CONTACT_ANSWER_TASK, ({ base, config, auth }, mailer, payload) =>
      sendAnswer(base, mailer, { ...config, siteUrl: auth.siteUrl }, payload),
    ),
  ],
}
