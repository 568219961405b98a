/**
 * What administrators may ask. An account is named by a handle that is another one each time, and
 * no answer leads from an account to what it wrote.
 */
import { z } from 'zod'
import { ROLES } from '#app/api/auth/actor.ts'
import type { Contract } from '#app/api/contract.ts'
import { ADMIN_ACTIONS, SUBJECT_MAX } from '#app/identity/accounts/administrators/admin-action.ts'
import { CONFIRMED, USER_ACTS, USER_LISTS, USER_SEARCH_MAX, USER_SORTS } from './administration.ts'
import { SAYABLE, SET_UP_STEPS } from './set-up.ts'
import { WAITING_COUNTED, WAITING_KINDS } from './waiting.ts'

const Count = z.object({
  count: z.number().int(),
  isExact: z.boolean().describe('False: about so many'),
})

const Stats = z.object({
  users: Count,
  companies: Count,
  discussions: Count,
  pendingRequests: Count,
  undelivered: z
    .array(z.object({ kind: z.string(), reason: z.string(), count: z.number().int() }))
    .describe('Mails that are not tried again, of the last month'),
})
export type AdminStats = z.output<typeof Stats>

const User = z.object({
  handle: z.string().describe('Names the account to the endpoints below'),
  username: z.string().nullable().describe('Null until the first visit'),
  address: z.string().describe('The first letter and the domain'),
  role: z.enum(ROLES),
  isConfirmed: z.boolean(),
  isSuspended: z.boolean(),
  isMe: z.boolean(),
  joined: z.string().describe('The month, as 2026-03'),
  acts: z.array(z.enum(USER_ACTS)).describe('What the asking administrator may do to it'),
})
export type User = z.output<typeof User>

const LogEntry = z.object({
  entry: z.number().int(),
  day: z.string(),
  minute: z
    .string()
    .nullable()
    .describe('Null for what was done to an ordinary account, and by the operator'),
  admin: z.string(),
  action: z.enum(ADMIN_ACTIONS),
  subject: z.string(),
  href: z
    .string()
    .nullable()
    .describe('The company or the account that it is about, if it is there'),
})
export type LogEntry = z.output<typeof LogEntry>

/** Rides with what is one's own on a page, too. */
export const Waiting = z
  .array(
    z.object({
      kind: z.enum(WAITING_KINDS),
      count: z.number().int().describe(`Of more than ${WAITING_COUNTED} that number`),
      age: z
        .object({ n: z.number().int(), unit: z.enum(['hour', 'day']) })
        .nullable()
        .describe('How long the oldest waits, as exactly as it is kept'),
    }),
  )
  .describe('What waits and whoever asks decides about')

const SetUp = z.object({
  steps: z.array(
    z.object({
      step: z.enum(SET_UP_STEPS),
      isDone: z.boolean(),
      said: z.string().nullable().describe('What is missing, as the doctor says it'),
    }),
  ),
  isPutAway: z.boolean(),
})
export type SetUp = z.output<typeof SetUp>

const WaitingMail = z.object({ isWanted: z.boolean() })

const DAY_FORM = 'A day is written as 2026-03-14'
/** PostgreSQL has no year 0. */
const Day = z.iso.date(DAY_FORM).refine((day) => day >= '0001', DAY_FORM)
/** Of the log's list and of its file. */
export const LogFilters = z.object({
  who: z.string().max(100).optional().describe('The name of an administrator, as it stands there'),
  action: z.enum(ADMIN_ACTIONS).optional(),
  about: z
    .string()
    .max(SUBJECT_MAX, `What you look for has at most ${SUBJECT_MAX} characters`)
    .optional()
    .describe('A part of what it was done to, such as the name of a company'),
  from: Day.optional(),
  to: Day.optional().describe('This day too'),
})
export type LogFilters = z.output<typeof LogFilters>

const Account = z.object({ handle: z.string().min(1).max(200) })
const After = z.object({ after: z.string().max(300).optional() })

export const administrationContract = {
  'GET /api/v1/administration/stats': {
    summary:
      'How many users, companies, discussions and pending requests there are, and mails that nobody took',
    ok: Stats,
    access: 'admin',
  },
  'GET /api/v1/administration/waiting': {
    summary: 'How much waits for a decision of whoever asks, and since when',
    ok: z.object({ waiting: Waiting }),
    access: 'moderator',
  },
  'GET /api/v1/administration/set-up': {
    summary: 'What of setting the site up is done; for the owner',
    ok: SetUp,
    access: 'owner',
  },
  'PUT /api/v1/administration/set-up/{step}': {
    summary: 'Say that a step is done, or put the list away; for the owner',
    params: z.object({ step: z.enum([...SAYABLE, 'put-away']) }),
    body: z.object({ isDone: z.boolean() }),
    ok: z.object({ isDone: z.boolean() }),
    access: 'owner',
  },
  'GET /api/v1/my/waiting-mail': {
    summary: 'Whether a mail a day says what waits',
    ok: WaitingMail,
    access: 'moderator',
  },
  'PUT /api/v1/my/waiting-mail': {
    summary: 'Get a mail a day about what waits, or none',
    body: WaitingMail,
    ok: WaitingMail,
    access: 'moderator',
  },
  'GET /api/v1/administration/users': {
    summary: 'Accounts, also by a part of their username or of a whole address',
    query: After.extend({
      list: z.enum(USER_LISTS).default('all'),
      sort: z.enum(USER_SORTS).default('name'),
      confirmed: z.enum(CONFIRMED).default('any').describe('Whether the address is'),
      joined: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written as 2026-03')
        .optional(),
      search: z
        .string()
        .trim()
        .max(USER_SEARCH_MAX, `What you look for has at most ${USER_SEARCH_MAX} characters`)
        .optional()
        .describe(
          'From three letters on a part of a username, fewer its beginning; or a whole address',
        ),
    }),
    ok: z.object({
      users: z.array(User),
      months: z.array(z.string()).describe('In which accounts were made, the last one first'),
      next: z.string().nullable(),
    }),
    access: 'admin',
  },
  'POST /api/v1/administration/users/{handle}/grant': {
    summary: 'Make somebody an administrator; the owner does',
    params: Account,
    ok: User,
    access: 'owner',
    recent: true,
    refusal: { forbidden: "Only the site's owner can appoint administrators" },
  },
  'POST /api/v1/administration/users/{handle}/revoke': {
    summary: 'Take an administrator’s role back; the owner does',
    params: Account,
    ok: User,
    access: 'owner',
    recent: true,
    refusal: { forbidden: "Only the site's owner can appoint administrators" },
  },
  'POST /api/v1/administration/users/{handle}/grant-moderator': {
    summary: 'Make somebody a moderator, who decides about posts and nothing else',
    params: Account,
    ok: User,
    access: 'admin',
    recent: true,
  },
  'POST /api/v1/administration/users/{handle}/revoke-moderator': {
    summary: 'Take a moderator’s role back',
    params: Account,
    ok: User,
    access: 'admin',
    recent: true,
  },
  'POST /api/v1/administration/users/{handle}/suspend': {
    summary: 'Sign an account out everywhere and let nobody in',
    params: Account,
    ok: User,
    access: 'admin',
    recent: true,
  },
  'POST /api/v1/administration/users/{handle}/unsuspend': {
    summary: 'Let a suspended account in again',
    params: Account,
    ok: User,
    access: 'admin',
  },
  'POST /api/v1/administration/users/{handle}/deletion': {
    summary: 'Delete an account for good; what it wrote stays, without author',
    params: Account,
    body: z.object({ confirmation: z.string().max(100).describe('Its username, typed') }),
    ok: z.object({ isDeleted: z.literal(true) }),
    access: 'admin',
    recent: true,
  },
  'GET /api/v1/administration/log': {
    summary: 'Who of the administrators did what, newest first',
    query: After.extend(LogFilters.shape),
    ok: z.object({
      entries: z.array(LogEntry),
      admins: z.array(z.string()).describe('Whose names stand in the log, in alphabetical order'),
      next: z.string().nullable(),
    }),
    access: 'admin',
  },
} satisfies Contract

export type AdministrationContract = typeof administrationContract
