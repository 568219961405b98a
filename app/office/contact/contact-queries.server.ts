import sql, { empty, join, type Sql } from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import { foreignCursor, readCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { leadingUuid } from '#app/platform/uuid.ts'
import type { ContactAnswer, ContactMessage, SavedAnswer } from './contact.contract.ts'
import { type AssigneeFilter, type ContactFilter, UNREAD_COUNTED_MAX } from './contact.ts'
import { searchQuery } from './message-search.ts'

const PAGE = 30
const NUMBER = /^\d{1,15}$/
/** A search scans this many messages before it uses the index, because common words match soon. */
const SCANNED_MAX = 1_000

/** Uses its own label, because the accounts' hash would reveal which account wrote. */
export const contactAddressHash = (secrets: Secrets, email: string) =>
  secrets.hash('contact address', plainAddress(email))

const LISTED: Record<ContactFilter, Sql> = {
  all: sql`status <> 'deleted'`,
  unread: sql`status = 'unread'`,
  archived: sql`status = 'archived'`,
}

/** Unanswered legal notices, which come before all other messages, oldest first. */
export const isOpenNotice = sql`(answer_by is not null and status in ('unread', 'read'))`

/** The assignee's name, if they're still an administrator. */
export const assigneeName = sql`(
  select username from profiles join admin_users on admin_users.id = profiles.account_id
   where profiles.account_id = assignee_id)`

interface RawMessage extends Omit<ContactMessage, 'email' | 'answers' | 'isMine' | 'links'> {
  /** The number that messages are sorted by. */
  position: string
  emailSealed: string
}

export interface InboxQuery {
  filter: ContactFilter
  search?: string
  assigned?: AssigneeFilter
  label?: string
  after?: string
}

/**
 * A page of the inbox by keyset: open legal notices, oldest first, then all others, newest first.
 * @throws Refusal bad-request
 */
export async function contactMessages(
  ctx: Ctx,
  query: InboxQuery,
  site: { siteUrl: () => string },
) {
  const { filter, search = '', after } = query
  const notices = `${filter} notices`
  const among = after === undefined ? undefined : readCursor(after, notices, NUMBER)
  const cursor = after === undefined ? undefined : readCursor(after, filter, NUMBER)
  if (after !== undefined && !cursor && !among) throw foreignCursor()
  const found = search.trim() ? conditionOf(ctx, search) : sql`true`
  const listed = sql`${LISTED[filter]} and ${inboxCondition(ctx, query)}`
  const rows: RawMessage[] = []
  if (found && !cursor)
    rows.push(
      ...(await ctx.db.query<RawMessage>(sql`
        select ${columns} from contact_messages
         where ${isOpenNotice} and ${listed} and ${found}
               ${among ? sql`and number > ${among.value}::bigint` : empty}
         order by number limit ${PAGE + 1}`)),
    )
  if (found && rows.length <= PAGE) {
    const before = cursor ? sql`and number < ${cursor.value}::bigint` : empty
    const others = sql`${listed} and not ${isOpenNotice} ${before}`
    const limit = PAGE + 1 - rows.length
    rows.push(
      ...(search.trim()
        ? await searched(ctx, others, found, limit)
        : await newest(ctx, sql`contact_messages where ${others}`, limit)),
    )
  }
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  const ids = shown.map(({ id }) => id)
  const answers = await answersTo(ctx, ids)
  const links = await linkedPosts(
    ctx,
    shown.map(({ message }) => message),
    site.siteUrl(),
  )
  return {
    messages: mapRows(
      'contact messages',
      shown,
      ({ position: _, emailSealed, ...row }, n): ContactMessage => ({
        ...row,
        isMine: row.assignee !== null && row.assignee === ctx.actor.account?.username,
        email: ctx.secrets.open(emailSealed, contactEmailContext(row.id)),
        answers: answers.filter(({ messageId }) => messageId === row.id).map(answerView),
        links: links[n] ?? [],
      }),
    ),
    next:
      rows.length > PAGE && last
        ? writeCursor({
            order: last.answerBy ? notices : filter,
            value: last.position,
            id: last.id,
          })
        : null,
  }
}

function inboxCondition({ actor }: Ctx, { assigned = 'anybody', label }: InboxQuery): Sql {
  const whose = {
    anybody: sql`true`,
    mine: sql`assignee_id = ${actor.account?.id ?? null}::uuid`,
    nobody: sql`${assigneeName} is null`,
  }[assigned]
  return label ? sql`${whose} and labels @> array[${cleanText(label)}]` : whose
}

const columns = sql`
  id, number::text as position, name, email_sealed as "emailSealed", message, status,
  created_at as "createdAt", subject, case when ${isOpenNotice} then answer_by end as "answerBy",
  ${assigneeName} as assignee, labels`

const newest = ({ db }: Ctx, source: Sql, limit: number) =>
  db.query<RawMessage>(sql`select ${columns} from ${source} order by number desc limit ${limit}`)

/**
 * Common words fill a page from the newest messages. We look up rare ones in the index. For common
 * words, the index would collect half of the table.
 */
async function searched(ctx: Ctx, listed: Sql, found: Sql, limit: number) {
  const scanned = sql`
    select * from contact_messages where ${listed} order by number desc limit ${SCANNED_MAX}`
  const met = await newest(ctx, sql`(${scanned}) next where ${found}`, limit)
  if (met.length >= limit) return met
  // "offset 0" makes PostgreSQL find the matches first, and then sort them.
  const all = sql`select * from contact_messages where ${found} and ${listed} offset 0`
  return newest(ctx, sql`(${all}) found`, limit)
}

/** Searches by words in the name and text, or by a full address. Undefined if there's neither. */
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

/** Counted up to a limit. */
export async function unreadMessages(ctx: Ctx) {
  const [counted] = await ctx.db.query<{ unread: number }>(sql`
    select count(*)::integer as unread from (
      select from contact_messages where status = 'unread' limit ${UNREAD_COUNTED_MAX}) unread`)
  return { unread: counted?.unread ?? 0 }
}

/** All administrators who can be assigned, by name, and all labels. */
export async function contactChoices({ db, actor }: Ctx) {
  const administrators = await db.query<{ name: string }>(sql`
    select username as name from profiles join admin_users on admin_users.id = profiles.account_id
     order by username_key`)
  const labels = await db.query<{ label: string }>(
    sql`select label from contact_labels order by label`,
  )
  return {
    administrators: administrators.map(({ name }) => ({
      name,
      isMe: name === actor.account?.username,
    })),
    labels: labels.map(({ label }) => label),
  }
}

export async function savedAnswers({ db }: Ctx) {
  const answers = await db.query<SavedAnswer>(
    sql`select id, title, body from saved_answers order by title_key`,
  )
  return { answers }
}

/** A message's address, sealed for its row. */
export const CONTACT_EMAIL: SealedColumn = {
  table: 'contact_messages',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the message */
export const contactEmailContext = (id: string) => sealContext(CONTACT_EMAIL, id)

/** Links shown per message. */
const LINKS_MAX = 5

interface Address {
  href: string
  threadId?: string
  slug?: string
}

/** Links in a text to threads and, by a single path segment, to possible companies. */
export function addressesIn(text: string, siteUrl: string): Address[] {
  const { host } = new URL(siteUrl)
  const literal = host.replace(/[.\\+*?^$()[\]{}|]/g, '\\$&')
  const found = new Map<string, Address>()
  for (const [, path = ''] of text.matchAll(
    new RegExp(`(?<![\\w.-])${literal}(/[^\\s<>"“”]+)`, 'gi'),
  )) {
    const address = linkedPage(path)
    if (address && found.size < LINKS_MAX) found.set(address.href, address)
  }
  return [...found.values()]
}

function linkedPage(path: string): Address | undefined {
  // Drops the punctuation of the sentence. It needs the host, because "//[" alone isn't a valid
  // URL.
  const { pathname, hash } = new URL(
    `http://here${path.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '')}`,
  )
  const [first = '', second = '', ...more] = pathname.slice(1).split('/')
  const threadId = first === 'thread' && more.length === 0 ? leadingUuid(second) : undefined
  if (threadId) return { href: pathname + hash, threadId }
  return SLUG.test(first) && second === '' ? { href: `/${first}`, slug: first } : undefined
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/

/**
 * The links of each text with their titles, in one query. A deleted thread has no title. Drops
 * paths that aren't companies.
 */
async function linkedPosts(
  { db }: Pick<Ctx, 'db'>,
  texts: string[],
  siteUrl: string,
): Promise<ContactMessage['links'][]> {
  const addresses = texts.map((text) => addressesIn(text, siteUrl))
  const all = addresses.flat()
  if (all.length === 0) return texts.map(() => [])
  const titles = await db.query<{ key: string; title: string }>(sql`
    select id::text as key, title from threads
     where id = any (${all.flatMap(({ threadId }) => threadId ?? [])}::uuid[])
    union all
    select slug, name from companies
     where slug = any (${all.flatMap(({ slug }) => slug ?? [])}::text[])`)
  const titleOf = new Map(titles.map(({ key, title }) => [key, title]))
  return addresses.map((those) =>
    those.flatMap(({ href, threadId, slug }) => {
      const title = titleOf.get(threadId ?? slug ?? '') ?? null
      return title === null && !threadId ? [] : [{ href, title }]
    }),
  )
}
