/** Reads of contact messages, for administrators alone. */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { plainAddress } from '../../auth/addresses.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { readCursor, writeCursor } from '../../server/keyset.server.ts'
import { badRequest } from '../../server/refusal.ts'
import type { Secrets } from '../../server/secrets.server.ts'
import { mailboxProblem } from '../accounts/sign-in/credential.ts'
import type { ContactAnswer, ContactMessage } from './contact.contract.ts'
import { type ContactFilter, searchQuery, UNREAD_COUNTED_MAX } from './contact.ts'
import { contactEmailPlace } from './contact-email.server.ts'

/** Messages of a page. */
const PAGE = 30
const NUMBER = /^\d{1,15}$/
/** Messages that a search passes before it looks its words up: common ones are met on the way. */
const SCANNED_MAX = 1_000

/** Of its own kind: beside the accounts' it would say which account wrote. */
export const contactAddressHash = (secrets: Secrets, email: string) =>
  secrets.hash('contact address', plainAddress(email))

const LISTED: Record<ContactFilter, Sql> = {
  all: sql`status <> 'deleted'`,
  unread: sql`status = 'unread'`,
  archived: sql`status = 'archived'`,
}

interface RawMessage extends Omit<ContactMessage, 'email' | 'answers'> {
  /** The number that gives the order. */
  place: string
  emailSealed: string
}

export interface InboxQuery {
  filter: ContactFilter
  search?: string
  after?: string
}

/** A page of the inbox by keyset, the newest first. @throws Refusal bad-request */
export async function contactMessages(ctx: Ctx, { filter, search, after }: InboxQuery) {
  const cursor = after === undefined ? undefined : readCursor(after, filter, NUMBER)
  if (after !== undefined && !cursor)
    throw badRequest('This page marker does not belong to this list')
  const before = cursor ? sql`and number < ${cursor.value}::bigint` : empty
  const listed = sql`${LISTED[filter]} ${before}`
  const rows = search?.trim()
    ? await searched(ctx, listed, search)
    : await newest(ctx, sql`contact_messages where ${listed}`)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  const answers = await answersTo(
    ctx,
    shown.map(({ id }) => id),
  )
  return {
    messages: shown.map(
      ({ place: _, emailSealed, ...row }): ContactMessage => ({
        ...row,
        email: ctx.secrets.open(emailSealed, contactEmailPlace(row.id)),
        answers: answers.filter(({ messageId }) => messageId === row.id).map(answerView),
      }),
    ),
    next:
      rows.length > PAGE && last
        ? writeCursor({ order: filter, value: last.place, id: last.id })
        : null,
  }
}

const newest = ({ db }: Ctx, source: Sql) =>
  db.query<RawMessage>(sql`
    select id, number::text as place, name, email_sealed as "emailSealed", message, status,
           created_at as "createdAt"
      from ${source} order by number desc limit ${PAGE + 1}`)

/**
 * Common words fill a page from the next messages alone. Those that do not are rare enough there to
 * be looked up in the index, which for common ones would collect half of the table.
 */
async function searched(ctx: Ctx, listed: Sql, search: string) {
  const found = conditionOf(ctx, search)
  if (!found) return []
  const walked = sql`
    select * from contact_messages where ${listed} order by number desc limit ${SCANNED_MAX}`
  const met = await newest(ctx, sql`(${walked}) next where ${found}`)
  if (met.length > PAGE) return met
  // "offset 0": found first and sorted then, not walked to in the order of the list.
  const all = sql`select * from contact_messages where ${found} and ${listed} offset 0`
  return newest(ctx, sql`(${all}) found`)
}

/** Words of name and text, or a whole address; undefined for what holds neither. */
function conditionOf({ secrets }: Ctx, search: string): Sql | undefined {
  const words = searchQuery(search)
  const conditions: Sql[] = []
  if (words) conditions.push(sql`search @@ ${words}::tsquery`)
  if (!mailboxProblem(search))
    conditions.push(sql`email_hash = ${contactAddressHash(secrets, search)}`)
  return conditions.length > 0 ? sql`(${join(conditions, ' or ')})` : undefined
}

type RawAnswer = ContactAnswer & { messageId: string }

const answersTo = async ({ db }: Ctx, ids: string[]) =>
  ids.length === 0
    ? []
    : db.query<RawAnswer>(sql`
        select id, message_id as "messageId", administrator, body, day, is_sent as "isSent"
          from contact_answers where message_id = any (${ids}::uuid[]) order by number`)

const answerView = ({ messageId: _, ...answer }: RawAnswer): ContactAnswer => answer

/** How many wait to be read, and no more than can be counted at once. */
export async function unreadMessages(ctx: Ctx) {
  const [counted] = await ctx.db.query<{ unread: number }>(sql`
    select count(*)::integer as unread from (
      select from contact_messages where status = 'unread' limit ${UNREAD_COUNTED_MAX}) unread`)
  return { unread: counted?.unread ?? 0 }
}
