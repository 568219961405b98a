import type { Feature } from '#app/api/feature.server.ts'
import { type AnswerPayload, CONTACT_ANSWER, sendAnswer } from './answer-commands.server.ts'
import { contactContract } from './contact.contract.ts'
import { contactHandlers } from './contact-api.server.ts'
import { sweepContactMessages } from './contact-commands.server.ts'
import { CONTACT_EMAIL } from './contact-email.server.ts'
import { forgetUnusedLabels } from './label-commands.server.ts'

export const contact: Feature = {
  sealed: [CONTACT_EMAIL],
  routes({ bind, site }) {
    bind(contactContract, contactHandlers(site))
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep contact messages', run: () => sweepContactMessages({ db, now }) },
    { name: 'forget labels that no message has', run: () => forgetUnusedLabels(db) },
  ],
  mails: {
    [CONTACT_ANSWER]: ({ base, site }, post, payload: AnswerPayload) =>
      sendAnswer(base, post, site, payload),
  },
}
