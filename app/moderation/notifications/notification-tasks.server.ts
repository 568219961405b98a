/**
 * Tasks that write news, after the commit that caused it. They may run twice, and one may overtake another.
 * Tasks lock the thread first, as every writer does.
 */
import sql from 'sql-template-tag'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import { openAuthor, openNamed } from '#app/community/discussions/posts/own-posts.server.ts'
import { mutedBy, mutersOf } from '#app/community/discussions/threads/saved-threads.server.ts'
import type { HiddenState, ModerationEvent, PostKind } from '#app/community/reports/report.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import type { AuthorNotice } from '../posts.server.ts'
import { alertOfThread } from './alerts.server.ts'
import { MENTIONS_MAX, NEWS_COMMENTS_MAX } from './notification.ts'
import {
  type NotificationContext,
  type NotificationFor,
  retryNotificationNumbers,
  writeNotifications,
} from './notification-keys.server.ts'

/** How far back a task looks for comments it overtook, in positions and minutes. */
const OVERTAKEN_PLACES = 5
const OVERTAKEN_MINUTES = 5
/** If the same decision comes again within this many minutes, the task ran twice. */
const SAME_NOTICE_MINUTES = 10

interface Post {
  kind: PostKind
  id: string
}

interface NewComment {
  id: string
  threadId: string
  parentId: string | null
  place: number
  body: string
  /** The author's key in the thread, in hex. */
  author: string
  /** The post it answers and that post's author. Null if the author is gone. */
  answered: string | null
  answeredId: string | null
  answeredPersonSealed: Uint8Array | null
}

/**
 * Tells people about comments that answer them, then about comments that name them. Tells followers of companies
 * about new threads. No one has a name in a new thread yet.
 */
export async function notifyOfPosts(base: NotificationContext, posts: Post[]) {
  for (const { kind, id } of posts) if (kind === 'thread') await alertOfThread(base, id)
  const ids = posts.filter(({ kind }) => kind === 'comment').map(({ id }) => id)
  if (ids.length === 0) return
  await retryNotificationNumbers(() => writeCommentNotifications(base, ids))
}

const writeCommentNotifications = (base: NotificationContext, ids: string[]) =>
  transaction(base, async (ctx) => {
    const { db } = ctx
    // Locks all threads before anything else, in one order.
    await db.query(
      sql`
      select from threads
       where id in (select thread_id from comments where id = any (${ids}::uuid[]))
       order by id for no key update`,
      PREPARED,
    )
    const news: CommentNotification[] = []
    for (const comment of await commentsUpTo(db, ids))
      news.push(...(await notificationsOfComment(ctx, comment)))
    const threads = [...new Set(news.map(({ threadId }) => threadId))]
    const muters = threads.length > 0 ? await mutersOf(ctx, threads) : new Set()
    await storeNotifications(
      ctx,
      news.filter(({ root, threadId }) => !muters.has(mutedBy(threadId, root))),
    )
  })

export const notifyOfPost = (base: NotificationContext, post: Post) => notifyOfPosts(base, [post])

/**
 * These comments, and the ones just before them, whose own tasks may come later. In the order of their
 * positions, because a row continues from the last position it counted.
 */
const commentsUpTo = (db: Database, ids: string[]) =>
  db.query<NewComment>(
    sql`
    select distinct on (comment.thread_id, comment.place)
           comment.id, comment.thread_id as "threadId", comment.parent_id as "parentId",
           comment.place, comment.body,
           encode(comment.key, 'hex') as author,
           encode(case when comment.parent_id is null then thread.key
                       when not parent.is_deleted then parent.key end, 'hex') as answered,
           coalesce(parent.id, thread.id) as "answeredId",
           case when parent.id is null then thread.person_sealed else parent.person_sealed end as "answeredPersonSealed"
      from comments added
      join threads thread on thread.id = added.thread_id
      join comments comment on comment.thread_id = added.thread_id
       and comment.place between added.place - ${OVERTAKEN_PLACES}::integer and added.place
       and comment.posted_minute >= added.posted_minute - ${OVERTAKEN_MINUTES}::integer
      left join comments parent on parent.id = comment.parent_id
     where added.id = any (${ids}::uuid[]) and thread.hidden is null
       and comment.hidden is null and not comment.is_deleted
     order by comment.thread_id, comment.place`,
    PREPARED,
  )

/** A piece of news of a reply or mention, for one person. */
interface CommentNotification {
  root: Buffer
  kind: 'reply' | 'mention'
  threadId: string
  commentId: string | null
  latestId: string
  place: number
}

async function notificationsOfComment(
  ctx: NotificationContext,
  comment: NewComment,
): Promise<CommentNotification[]> {
  const { threadId, author, answered, answeredId, answeredPersonSealed } = comment
  const named = await peopleNamed(ctx, threadId, comment.body)
  const mentioned = named
    .filter(({ key }) => key !== author && key !== answered)
    .slice(0, MENTIONS_MAX)
  const isReplyTo = answered !== null && answered !== author && answeredId !== null
  const replied = isReplyTo ? openAuthor(ctx.secrets, answeredId, answeredPersonSealed) : null
  const latest = { threadId, latestId: comment.id, place: comment.place }
  return [
    ...(replied
      ? [{ ...latest, root: replied.root, kind: 'reply' as const, commentId: comment.parentId }]
      : []),
    ...mentioned.map(({ person }) => ({
      ...latest,
      root: person.root,
      kind: 'mention' as const,
      commentId: null,
    })),
  ]
}

/** News for the same row goes in together, because a statement can change a row only once. */
async function storeNotifications(ctx: NotificationContext, news: CommentNotification[]) {
  const rows = new Map<string, NotificationFor & { news: CommentNotification[] }>()
  for (const one of news) {
    const { root, kind, threadId, commentId } = one
    const name = [root.toString('hex'), kind, threadId, commentId].join(' ')
    const row = rows.get(name) ?? { root, subject: { kind, threadId, commentId }, news: [] }
    rows.set(name, row)
    row.news.push(one)
  }
  await writeNotifications(
    ctx,
    [...rows.values()],
    (pieces) => sql`
    with comment_news as (
      select piece.*, decode(piece.hex, 'hex') as key, decode(piece.number, 'hex') as own_row_key
        from jsonb_to_recordset(${JSON.stringify(pieces.flatMap(asRows))}::text::jsonb) as piece (
               nth integer, hex text, number text, kind text, "threadId" uuid, "commentId" uuid,
               "latestId" uuid, place integer)),
    news as (
      select piece.nth, piece.key, piece.own_row_key, piece.kind, piece."threadId", piece."commentId",
             array_agg(piece."latestId" order by piece.place desc)
               filter (where piece.place > coalesce(before.latest_place, 0)) as ids,
             max(piece.place) as place,
             count(*) filter (where piece.place > coalesce(before.latest_place, 0)) as fresh
        from comment_news piece left join notifications before on before.key = piece.key
       group by piece.nth, piece.key, piece.own_row_key, piece.kind, piece."threadId", piece."commentId")
    insert into notifications as known
      (key, own_row_key, kind, thread_id, comment_id, comment_ids, latest_place, count, minute)
    select key, own_row_key, kind, "threadId", "commentId", ids[:${NEWS_COMMENTS_MAX}::integer], place, fresh,
           ${minuteOf(ctx.now())} from news
     where fresh > 0 order by nth
    on conflict (key) do update
       set count = case when known.is_read then excluded.count else known.count + excluded.count end,
           is_mailed = known.is_mailed and not known.is_read, is_read = false,
           comment_ids = case when known.is_read then excluded.comment_ids
                              else (excluded.comment_ids || known.comment_ids)[:${NEWS_COMMENTS_MAX}::integer] end,
           latest_place = excluded.latest_place,
           minute = excluded.minute, own_row_key = excluded.own_row_key`,
  )
}

const asRows = (
  piece: { key: Buffer; ownRowKey: Buffer; news: CommentNotification[] },
  nth: number,
) =>
  piece.news.map(({ root: _, ...one }) => ({
    ...one,
    nth,
    hex: piece.key.toString('hex'),
    number: piece.ownRowKey.toString('hex'),
  }))

interface AuthorsPost {
  threadId: string
  personSealed: Uint8Array | null
  hidden: HiddenState | null
  isLocked: boolean
}

/** The post's state after a decision. If the state has changed since, a later decision notifies the author. */
const HOLDS: Partial<Record<ModerationEvent, (post: AuthorsPost) => boolean>> = {
  held: ({ hidden }) => hidden === 'held',
  removed: ({ hidden }) => hidden === 'removed',
  'appeal-declined': ({ hidden }) => hidden === 'removed',
  restored: ({ hidden }) => hidden === null,
  locked: ({ isLocked }) => isLocked,
}

/**
 * Tells an author what moderators did to a post. The latest decision replaces the older one. Muting a thread
 * doesn't mute this.
 */
export async function notifyAuthor(
  base: NotificationContext,
  { kind, id, event, reason }: AuthorNotice,
) {
  await retryNotificationNumbers(() => writeAuthorNotice(base, { kind, id, event, reason }))
  // No one was told of a post that was held from the start.
  if (event === 'restored') await notifyOfPost(base, { kind, id })
}

const writeAuthorNotice = (base: NotificationContext, { kind, id, event, reason }: AuthorNotice) =>
  transaction(base, async ({ db, now, secrets }) => {
    const post = await lockPost(db, { kind, id })
    if (!post || HOLDS[event]?.(post) === false) return
    const author = openAuthor(secrets, id, post.personSealed)
    if (!author) return
    const commentId = kind === 'comment' ? id : null
    const subject = { kind: 'moderation', threadId: post.threadId, commentId } as const
    await writeNotifications(
      { db, now },
      [{ root: author.root, subject }],
      ([its]) => sql`
      insert into notifications as known
        (key, own_row_key, kind, thread_id, comment_id, event, reason, minute)
      values (${its?.key}, ${its?.ownRowKey}, 'moderation', ${post.threadId}, ${commentId}, ${event},
              ${reason}, ${minuteOf(now())})
      on conflict (key) do update
         set event = excluded.event, reason = excluded.reason, minute = excluded.minute,
             own_row_key = excluded.own_row_key, is_read = false, is_mailed = false
       where (known.event, known.reason) is distinct from (excluded.event, excluded.reason)
          or known.minute < excluded.minute - ${SAME_NOTICE_MINUTES}::integer`,
    )
  })

async function lockPost(db: Database, { kind, id }: Post): Promise<AuthorsPost | undefined> {
  const [thread] = await db.query<AuthorsPost>(sql`
    select id as "threadId", person_sealed as "personSealed", hidden, is_locked as "isLocked" from threads
     where id = ${kind === 'thread' ? sql`${id}` : sql`(select thread_id from comments where id = ${id})`}
       for no key update`)
  if (!thread || kind === 'thread') return thread
  const [comment] = await db.query<Pick<AuthorsPost, 'personSealed' | 'hidden'>>(sql`
    select person_sealed as "personSealed", hidden from comments where id = ${id} and not is_deleted`)
  return comment && { ...thread, ...comment }
}

/**
 * The task that tells a thread's author about a company's reply. Raters are unknown. `reason` says which reply
 * we announced. If the first was removed, another one is news again, in the same row. An edit isn't.
 */
export const notifyOfCompanyReply = (
  base: NotificationContext,
  { threadId, replyId }: { threadId: string; replyId: string },
) => retryNotificationNumbers(() => writeCompanyReplyNotification(base, threadId, replyId))

const writeCompanyReplyNotification = (
  base: NotificationContext,
  threadId: string,
  replyId: string,
) =>
  transaction(base, async ({ db, now, secrets }) => {
    const [thread] = await db.query<{ personSealed: Uint8Array | null }>(
      sql`select person_sealed as "personSealed" from threads where id = ${threadId} for no key update`,
    )
    const author = openAuthor(secrets, threadId, thread?.personSealed ?? null)
    if (!author) return
    const muters = await mutersOf({ db, secrets }, [threadId])
    if (muters.has(mutedBy(threadId, author.root))) return
    const subject = { kind: 'company-reply', threadId, commentId: null } as const
    await writeNotifications(
      { db, now },
      [{ root: author.root, subject }],
      ([its]) => sql`
      insert into notifications as known
        (key, own_row_key, kind, thread_id, company_id, reason, minute)
      select ${its?.key}::bytea, ${its?.ownRowKey}::bytea, 'company-reply', thread.id, reply.company_id, reply.id::text,
             ${minuteOf(now())}
        from threads thread join company_replies reply
          on reply.thread_id = thread.id and reply.company_id = thread.company_id
       where thread.id = ${threadId} and reply.id = ${replyId} and reply.hidden is null
      on conflict (key) do update
         set company_id = excluded.company_id, reason = excluded.reason, minute = excluded.minute,
             is_mailed = known.is_mailed and not known.is_read, is_read = false,
             own_row_key = excluded.own_row_key
       where known.reason <> excluded.reason`,
    )
  })

/**
 * "@" and a username (one word) or a pseudonym (two words and perhaps a number). Doesn't match within the
 * address of a mailbox or page.
 */
const MENTION =
  /(?<![\p{L}\p{N}_@/.])@([a-z0-9_-]{3,24})(?![a-z0-9_-])(?:\s([a-z]+)(?:\s(\d+)\b)?)?/giu

/** Quotes. The people named in them were notified back then. */
const QUOTED = /^ {0,3}>.*$/gm

/** The names that each "@" may mean, in lower case, the longest first. */
export function namesIn(text: string): string[][] {
  return [...text.replace(QUOTED, '').matchAll(MENTION)].map(([, word = '', noun, number]) => {
    const names = [word, word.replace(/(?<![-_])[-_]+$/, '')]
    if (noun) names.unshift(`${word} ${noun}`)
    if (noun && number) names.unshift(`${word} ${noun} ${number}`)
    return [...new Set(names.map((name) => name.toLowerCase()))]
  })
}

interface Person {
  /** The person's key in the thread, in hex. */
  key: string
  person: PersonRoot
}

/**
 * The people whom `text` names, once each, in order. A username counts only if the person used it in this
 * thread, so naming someone doesn't reveal where else they write.
 */
async function peopleNamed(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  threadId: string,
  text: string,
): Promise<Person[]> {
  const mentions = namesIn(text)
  if (mentions.length === 0) return []
  const names = [...new Set(mentions.flat())]
  const rows = await db.query<{
    name: string
    key: Uint8Array
    id: string | null
    personSealed: Uint8Array | null
  }>(sql`
    select lower(name) as name, key, null::uuid as id, person_sealed as "personSealed" from thread_names
     where thread_id = ${threadId} and lower(name) = any (${names}::text[])
    union all
    (select distinct on (lower(author_name), key) lower(author_name), key, id, person_sealed from comments
      where thread_id = ${threadId} and author_name not like '% %' and not is_deleted
        and hidden is null and lower(author_name) = any (${names}::text[])
      order by lower(author_name), key)
    union all
    select lower(author_name), key, id, person_sealed from threads
     where id = ${threadId} and author_name not like '% %'
       and lower(author_name) = any (${names}::text[])
    order by 1, 2`)
  const named = mentions.flatMap((names) => {
    const meant = names.find((name) => rows.some((row) => row.name === name))
    return rows.filter(({ name }) => name === meant)
  })
  const people = new Map<string, Person>()
  for (const { key, id, personSealed } of named) {
    const hex = Buffer.from(key).toString('hex')
    const person =
      id === null ? openNamed(secrets, key, personSealed) : openAuthor(secrets, id, personSealed)
    if (person && !people.has(hex)) people.set(hex, { key: hex, person })
  }
  return [...people.values()]
}
