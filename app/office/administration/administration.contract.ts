/**
 * What administrators can do. A handle identifies an account and differs each time, and no answer
 * leads from an account to its posts.
 */
import { z } from 'zod'
import { ROLES } from '#app/api/auth/actor.ts'
import type { Contract } from '#app/api/contract.ts'
import { After, LookupText } from '#app/api/schemas.ts'
import {
  ADMIN_ACTIONS,
  ADMIN_REFUSALS,
  SUBJECT_MAX,
} from '#app/identity/accounts/administrators/admin-action.ts'
import { TYPED_USERNAME_MAX } from '#app/identity/accounts/username.ts'
import {
  CONFIRMABLE_STEPS,
  CONFIRMED,
  SET_UP_STEPS,
  USER_ACTS,
  USER_LISTS,
  USER_SEARCH_MAX,
  USER_SORTS,
} from './administration.ts'
import { WAITING_COUNTED, WAITING_KINDS } from './waiting.ts'

const Count = z.object({
  count: z.number().int(),
  isExact: z.boolean().describe('False for an estimate'),
})

const Stats = z.object({
  users: Count,
  companies: Count,
  discussions: Count,
  pendingRequests: Count.describe('Company requests that you may decide on'),
  undelivered: z
    .array(z.object({ kind: z.string(), reason: z.string(), count: z.number().int() }))
    .describe('Emails we gave up on in the last month'),
  backup: z
    .object({
      finishedAt: z.string(),
      bytes: z.number().int().nullable(),
      isOld: z.boolean().describe('More than a day, and the owner has no other way'),
    })
    .nullable()
    .describe('The last one by command. Null if there was none'),
})
export type AdminStats = z.output<typeof Stats>

const User = z.object({
  handle: z.string().describe('Identifies the account in the endpoints below'),
  username: z.string().nullable().describe('Null until the first visit'),
  address: z.string().describe('Masked: its first letter and its domain'),
  role: z.enum(ROLES),
  isConfirmed: z.boolean(),
  isSuspended: z.boolean(),
  isMe: z.boolean(),
  joined: z.string().describe('The month, such as 2026-03'),
  acts: z.array(z.enum(USER_ACTS)).describe('What you can do with this account'),
})
export type User = z.output<typeof User>

const LogEntry = z.object({
  entry: z.number().int(),
  day: z.string(),
  minute: z
    .string()
    .nullable()
    .describe('Null for actions on ordinary accounts and actions by the operator'),
  admin: z.string(),
  action: z.enum(ADMIN_ACTIONS),
  subject: z.string(),
  before: z.string().nullable().describe('What a setting was, shortened'),
  after: z.string().nullable().describe('What it became, shortened'),
  href: z.string().nullable().describe('The company or account it’s about, if it still exists'),
})
export type LogEntry = z.output<typeof LogEntry>

/** What waits for an administrator. Also part of the personal data in a page. */
export const Waiting = z
  .array(
    z.object({
      kind: z.enum(WAITING_KINDS),
      count: z.number().int().describe(`At most ${WAITING_COUNTED}`),
      age: z
        .object({ n: z.number().int(), unit: z.enum(['hour', 'day']) })
        .nullable()
        .describe('How long the oldest has been waiting, as precisely as we store it'),
    }),
  )
  .describe('What’s waiting for your decision')

const SetUp = z.object({
  steps: z.array(
    z.object({
      step: z.enum(SET_UP_STEPS),
      isDone: z.boolean(),
      said: z.string().nullable().describe('What’s missing, as `npm run doctor` puts it'),
    }),
  ),
  isPutAway: z.boolean(),
})
export type SetUp = z.output<typeof SetUp>

const WaitingMail = z.object({ isWanted: z.boolean() })

const DAY_FORM = 'A day looks like 2026-03-14'
/** PostgreSQL has no year 0. */
const Day = z.iso.date(DAY_FORM).refine((day) => day >= '0001', DAY_FORM)
/** Shared by the log's list and its file. */
export const LogFilters = z.object({
  who: LookupText(100).optional().describe('An administrator’s name, as logged'),
  action: z.enum(ADMIN_ACTIONS).optional(),
  about: LookupText(SUBJECT_MAX, `Search for at most ${SUBJECT_MAX} characters`)
    .optional()
    .describe('Part of the subject, such as a company’s name'),
  from: Day.optional(),
  to: Day.optional().describe('Inclusive'),
})
export type LogFilters = z.output<typeof LogFilters>

const Account = z.object({ handle: LookupText(200).min(1) })

export const administrationContract = {
  'GET /api/v1/administration/stats': {
    summary:
      'How many users, companies, discussions, pending requests and undelivered emails there are, and the last backup',
    ok: Stats,
    access: 'admin',
  },
  'GET /api/v1/administration/waiting': {
    summary: 'What’s waiting for your decision, and since when',
    ok: z.object({ waiting: Waiting }),
    access: 'moderator',
  },
  'GET /api/v1/administration/set-up': {
    summary: 'The owner’s setup checklist',
    ok: SetUp,
    access: 'owner',
  },
  'PUT /api/v1/administration/set-up/{step}': {
    summary: 'Mark a setup step as done, or hide the checklist',
    params: z.object({ step: z.enum([...CONFIRMABLE_STEPS, 'put-away']) }),
    body: z.object({ isDone: z.boolean() }),
    ok: z.object({ isDone: z.boolean() }),
    access: 'owner',
  },
  'GET /api/v1/my/waiting-mail': {
    summary: 'Whether you get a daily email about open tasks',
    ok: WaitingMail,
    access: 'moderator',
  },
  'PUT /api/v1/my/waiting-mail': {
    summary: 'Turn the daily email about open tasks on or off',
    body: WaitingMail,
    ok: WaitingMail,
    access: 'moderator',
  },
  'GET /api/v1/administration/users': {
    summary: 'List accounts, or search by part of a username or a full address',
    query: After.extend({
      list: z.enum(USER_LISTS).default('all'),
      sort: z.enum(USER_SORTS).default('name'),
      confirmed: z.enum(CONFIRMED).default('any').describe('Whether the address is confirmed'),
      joined: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month looks like 2026-03')
        .optional(),
      search: LookupText(USER_SEARCH_MAX, `Search for at most ${USER_SEARCH_MAX} characters`)
        .trim()
        .optional()
        .describe(
          'Part of a username (or its first letters, if you give fewer than three), or a full email address',
        ),
    }),
    ok: z.object({
      users: z.array(User),
      months: z.array(z.string()).describe('Months when accounts were created, newest first'),
      next: z.string().nullable(),
    }),
    access: 'admin',
  },
  'POST /api/v1/administration/users/{handle}/grant': {
    summary: 'Make someone an administrator. For the owner',
    params: Account,
    ok: User,
    access: 'owner',
    requiresRecentLogin: true,
    refusal: { forbidden: ADMIN_REFUSALS.ownerAppoints },
  },
  'POST /api/v1/administration/users/{handle}/revoke': {
    summary: 'Revoke an administrator’s role. For the owner',
    params: Account,
    ok: User,
    access: 'owner',
    requiresRecentLogin: true,
    refusal: { forbidden: ADMIN_REFUSALS.ownerAppoints },
  },
  'POST /api/v1/administration/users/{handle}/grant-moderator': {
    summary: 'Make someone a moderator, who can only decide on posts',
    params: Account,
    ok: User,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'POST /api/v1/administration/users/{handle}/revoke-moderator': {
    summary: 'Revoke a moderator’s role',
    params: Account,
    ok: User,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'POST /api/v1/administration/users/{handle}/suspend': {
    summary: 'Suspend an account: sign it out everywhere and block logins',
    params: Account,
    ok: User,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'POST /api/v1/administration/users/{handle}/unsuspend': {
    summary: 'Lift a suspension',
    params: Account,
    ok: User,
    access: 'admin',
  },
  'POST /api/v1/administration/users/{handle}/deletion': {
    summary: 'Delete an account permanently. Its posts stay, without an author',
    params: Account,
    body: z.object({
      confirmation: LookupText(TYPED_USERNAME_MAX).describe('Its username, typed again'),
    }),
    ok: z.object({ isDeleted: z.literal(true) }),
    access: 'admin',
    requiresRecentLogin: true,
  },
  'GET /api/v1/administration/log': {
    summary: "The administrators' log, newest first",
    query: After.extend(LogFilters.shape),
    ok: z.object({
      entries: z.array(LogEntry),
      admins: z.array(z.string()).describe('All names in the log, in alphabetical order'),
      next: z.string().nullable(),
    }),
    access: 'admin',
  },
} satisfies Contract

export type AdministrationContract = typeof administrationContract
