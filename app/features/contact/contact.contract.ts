/** What people may ask about contact messages. No answer says which account or browser wrote one. */
import { z } from 'zod'
import { CheckedText } from '../../api/checked-text.ts'
import type { Contract } from '../../api/contract.ts'
import { EMAIL_MAX } from '../accounts/account.ts'
import { mailboxProblem } from '../accounts/sign-in/credential.ts'
import {
  FILTERS,
  MESSAGE_MAX,
  messageProblem,
  NAME_MAX,
  NOT_FOR_YOU,
  nameProblem,
  STATUSES,
} from './contact.ts'

const Text = (max: number, problemOf: (text: string) => string | undefined) =>
  CheckedText(max, problemOf).transform((text) => text.trim())

const IdempotencyKey = z.uuid().describe('Made once per form: a second sending makes no second one')
const Status = z.enum(STATUSES)
const MessageId = z.object({ id: z.uuid() })

const Answer = z.object({
  id: z.uuid(),
  administrator: z.string(),
  body: z.string(),
  day: z.string(),
  isSent: z.boolean().describe('False while its mail waits'),
})

const Message = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  status: Status,
  createdAt: z.string().describe('To the hour'),
  answers: z.array(Answer).describe('The first one first'),
})
export type ContactMessage = z.output<typeof Message>

export const contactContract = {
  'POST /api/v1/contact-messages': {
    summary: 'Write to those who run the site',
    body: z.object({
      name: Text(NAME_MAX, nameProblem),
      email: Text(EMAIL_MAX, mailboxProblem),
      message: Text(MESSAGE_MAX, (text) => messageProblem(text)),
      sending: IdempotencyKey,
      proof: z.string().max(2_000).optional().describe('As for posting'),
    }),
    ok: z.object({ isReceived: z.literal(true) }),
    status: 201,
    access: 'anyone',
    limit: { name: 'contact', seconds: 600, network: 10 },
    proof: true,
  },
  'GET /api/v1/contact-messages': {
    summary: 'Contact messages, the newest first; for administrators',
    query: z.object({
      filter: z.enum(FILTERS).default('all'),
      search: z
        .string()
        .max(254)
        .optional()
        .describe('Words of name and text, each may go on, or a whole address'),
      after: z.string().max(500).optional(),
    }),
    ok: z.object({
      messages: z.array(Message),
      next: z.string().nullable(),
    }),
    access: 'admin',
    refusal: { forbidden: NOT_FOR_YOU },
  },
  'GET /api/v1/contact-messages/unread': {
    summary: 'How many contact messages are unread; for administrators',
    ok: z.object({ unread: z.number().int().describe('At most 999') }),
    access: 'admin',
    refusal: { forbidden: NOT_FOR_YOU },
  },
  'PUT /api/v1/contact-messages/{id}/status': {
    summary: 'Mark a contact message read or unread, archive or delete it; for administrators',
    params: MessageId,
    body: z.object({ status: Status }),
    ok: z.object({ status: Status }),
    access: 'admin',
    refusal: { forbidden: NOT_FOR_YOU },
  },
  'POST /api/v1/contact-messages/{id}/answers': {
    summary: 'Answer a contact message by a mail of the site; for administrators',
    params: MessageId,
    body: z.object({
      text: Text(MESSAGE_MAX, (text) => messageProblem(text, 'answer')),
      sending: IdempotencyKey,
    }),
    ok: Answer,
    status: 201,
    access: 'admin',
    refusal: { forbidden: NOT_FOR_YOU },
  },
} satisfies Contract

export type ContactContract = typeof contactContract
export type ContactAnswer = z.output<typeof Answer>
