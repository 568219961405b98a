/** Contact messages. No answer says which account or browser wrote one. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import {
  After,
  IdempotencyKey,
  LookupText,
  SpamCheck,
  Uuid,
  WrittenText,
} from '#app/api/schemas.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import {
  ASSIGNEE_FILTERS,
  CONTACT_FILTERS,
  CONTACT_NAME_MAX,
  CONTACT_REFUSALS,
  CONTACT_STATUSES,
  CONTACT_SUBJECTS,
  LABEL_MAX,
  MESSAGE_MAX,
} from './contact.ts'
import { SAVED_TITLE_MAX } from './saved-answer.ts'

const Status = z.enum(CONTACT_STATUSES)
const MessageId = z.object({ id: Uuid })
const AnswerId = z.object({ id: Uuid })

const Answer = z.object({
  id: Uuid,
  administrator: z.string(),
  body: z.string(),
  day: z.string(),
  isSent: z.boolean().describe('False until the email is sent'),
})

const Message = z.object({
  id: Uuid,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  status: Status,
  createdAt: z.string().describe('To the hour'),
  subject: z.enum(CONTACT_SUBJECTS),
  answerBy: z.string().nullable().describe('When an open legal notice is due, to the hour'),
  assignee: z.string().nullable().describe('The assigned administrator'),
  isMine: z.boolean().describe('Whether you are the assignee'),
  labels: z.array(z.string()),
  links: z
    .array(
      z.object({
        href: z.string(),
        title: z.string().nullable().describe('Null if it no longer exists'),
      }),
    )
    .describe('Threads and companies on this site that it links to'),
  answers: z.array(Answer).describe('Oldest first'),
})
export type ContactMessage = z.output<typeof Message>

const Assignment = Message.pick({ assignee: true, isMine: true })
const Labels = Message.pick({ labels: true })
const Administrator = LookupText(100)
const LabelOfMessage = MessageId.extend({ label: WrittenText(LABEL_MAX) })

const SavedAnswer = z.object({ id: Uuid, title: z.string(), body: z.string() })
export type SavedAnswer = z.output<typeof SavedAnswer>
const SavedText = z.object({
  title: WrittenText(SAVED_TITLE_MAX),
  body: WrittenText(MESSAGE_MAX).describe('May contain the placeholders {name} and {site}'),
})

const FOR_ADMINISTRATORS = {
  access: 'admin',
  refusal: { forbidden: CONTACT_REFUSALS.forbidden },
} as const

export const contactContract = {
  'POST /api/v1/contact-messages': {
    summary: 'Write to the people who run the site',
    body: z.object({
      name: WrittenText(CONTACT_NAME_MAX),
      email: WrittenText(EMAIL_MAX),
      message: WrittenText(MESSAGE_MAX),
      subject: z.enum(CONTACT_SUBJECTS).default('general'),
      idempotencyKey: IdempotencyKey,
      spamCheck: SpamCheck,
    }),
    ok: z.object({ isReceived: z.literal(true) }),
    status: 201,
    access: 'anyone',
    limit: { name: 'contact', seconds: 600, network: 10 },
    spamCheck: true,
  },
  'GET /api/v1/contact-messages': {
    summary: 'Contact messages: open legal notices, then newest first. For administrators',
    query: After.extend({
      filter: z.enum(CONTACT_FILTERS).default('all'),
      search: LookupText(254)
        .optional()
        .describe(
          'Words from the name or message (the first letters are enough), or a full email address',
        ),
      assigned: z.enum(ASSIGNEE_FILTERS).default('anybody'),
      label: LookupText(LABEL_MAX).optional(),
    }),
    ok: z.object({
      messages: z.array(Message),
      next: z.string().nullable(),
    }),
    ...FOR_ADMINISTRATORS,
  },
  'GET /api/v1/contact-messages/unread': {
    summary: 'Number of unread contact messages. For administrators',
    ok: z.object({ unread: z.number().int().describe('At most 1,000') }),
    ...FOR_ADMINISTRATORS,
  },
  'PUT /api/v1/contact-messages/{id}/status': {
    summary: 'Mark a contact message read or unread, archive or delete it. For administrators',
    params: MessageId,
    body: z.object({ status: Status }),
    ok: z.object({ status: Status }),
    ...FOR_ADMINISTRATORS,
  },
  'POST /api/v1/contact-messages/{id}/answers': {
    summary: 'Answer a contact message by email from the site. For administrators',
    params: MessageId,
    body: z.object({
      text: WrittenText(MESSAGE_MAX),
      idempotencyKey: IdempotencyKey,
    }),
    ok: Answer,
    status: 201,
    ...FOR_ADMINISTRATORS,
  },
  'GET /api/v1/contact-messages/choices': {
    summary: 'Possible assignees, and all labels. For administrators',
    ok: z.object({
      administrators: z.array(z.object({ name: z.string(), isMe: z.boolean() })),
      labels: z.array(z.string()),
    }),
    ...FOR_ADMINISTRATORS,
  },
  'PUT /api/v1/contact-messages/{id}/assignee': {
    summary:
      'Assign a message to an administrator. If two administrators try at once, only one succeeds',
    params: MessageId,
    body: z.object({
      assignee: Administrator.nullable().describe('A username, or null for no one'),
      was: Administrator.nullable().describe('The previous assignee, as far as the client knows'),
    }),
    ok: Assignment,
    ...FOR_ADMINISTRATORS,
  },
  'PUT /api/v1/contact-messages/{id}/labels/{label}': {
    summary: 'Label a message. For administrators',
    params: LabelOfMessage,
    ok: Labels,
    ...FOR_ADMINISTRATORS,
  },
  'DELETE /api/v1/contact-messages/{id}/labels/{label}': {
    summary: 'Remove a label from a message. For administrators',
    params: LabelOfMessage,
    ok: Labels,
    ...FOR_ADMINISTRATORS,
  },
  'GET /api/v1/saved-answers': {
    summary: 'Saved answers, by title. For administrators',
    ok: z.object({ answers: z.array(SavedAnswer) }),
    ...FOR_ADMINISTRATORS,
  },
  'POST /api/v1/saved-answers': {
    summary: 'Save an answer for later use. For administrators',
    body: SavedText,
    ok: SavedAnswer,
    status: 201,
    ...FOR_ADMINISTRATORS,
  },
  'PUT /api/v1/saved-answers/{id}': {
    summary: 'Change a saved answer. For administrators',
    params: AnswerId,
    body: SavedText,
    ok: SavedAnswer,
    ...FOR_ADMINISTRATORS,
  },
  'DELETE /api/v1/saved-answers/{id}': {
    summary: 'Delete a saved answer. For administrators',
    params: AnswerId,
    ok: z.object({ isDeleted: z.literal(true) }),
    ...FOR_ADMINISTRATORS,
  },
} satisfies Contract

export type ContactContract = typeof contactContract
export type ContactAnswer = z.output<typeof Answer>
