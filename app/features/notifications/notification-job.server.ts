/**
 * Jobs that write news, after the commit of what they tell of. They may run twice, and one may
 * overtake another. The thread is taken first, as every writer does.
 */
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import type { HiddenState, ModerationEvent, PostKind } from '../reports/report.ts'
import { minuteOf } from '../reports/report.ts'
import { alertOfThread } from './alert-job.server.ts'
import { peopleNamed } from './mentions.server.ts'
import { MENTIONS_MAX } from './notification.ts'

/** How far back a job looks for comments that it overtook, in places and in minutes. */
const OVERTAKEN_PLACES = 5
const OVERTAKEN_MINUTES = 5
/** The same decision again within so long is the same job again. */
const SAME_RULING_MINUTES = 10

interface Post {
  kind: PostKind
  id: string
}

export interface Ruling extends Post {
  event: ModerationEvent
  reason: string | null
}

interface NewComment {
  id: string
  threadId: string
  parentId: string | null
  place: number
  body: string
  authorKey: string
  /** Whose post it answers; null where nobody is there any more. */
  answered: string | null
}

/**
 * Tells of new comments: whomever they answer, then those whom they name. Of new threads: who follows
 * their companies; nobody has a name in them yet.
 */
export async function notifyOfPosts(base: DataContext, posts: Post[]) {
  for (const { kind, id } of posts) if (kind === 'thread') await alertOfThread(base, id)
  const ids = posts.filter(({ kind }) => kind === 'comment').map(({ id }) => id)
  if (ids.length === 0) return
  await transaction(base, async ({ db, now }) => {
    // All of them before anything else, and in one order.
    await db.query(
      sql`
      select from threads
       where id in (select thread_id from comments where id = any (${ids}::uuid[]))
       order by id for no key update`,
      { name: 'lock threads of posts' },
    )
    const told: Told[] = []
    for (const comment of await commentsUpTo(db, ids)) told.push(...(await toldOf(db, comment)))
    if (told.length > 0) await tell({ db, now }, told)
  })
}

export const notifyOfPost = (base: DataContext, post: Post) => notifyOfPosts(base, [post])

/**
 * Comments that may be told of, and those just before them, whose own jobs may come later; in the
 * order of their places, for a row counts on from the last place that it counted.
 */
const commentsUpTo = (db: Database, ids: string[]) =>
  db.query<NewComment>(
    sql`
    select distinct on (comment.thread_id, comment.place)
           comment.id, comment.thread_id as "threadId", comment.parent_id as "parentId",
           comment.place, comment.body,
           comment.author_key as "authorKey",
           case when comment.parent_id is null then thread.author_key
                when not parent.is_deleted then parent.author_key end as answered
      from comments asked
      join threads thread on thread.id = asked.thread_id
      join comments comment on comment.thread_id = asked.thread_id
       and comment.place between asked.place - ${OVERTAKEN_PLACES}::integer and asked.place
       and comment.posted_minute >= asked.posted_minute - ${OVERTAKEN_MINUTES}::integer
      left join comments parent on parent.id = comment.parent_id
     where asked.id = any (${ids}::uuid[]) and thread.hidden is null
       and comment.hidden is null and not comment.is_deleted
     order by comment.thread_id, comment.place`,
    { name: 'comments to tell of' },
  )

/** One piece of news for one person, which a row of theirs takes up. */
interface Told {
  key: string
  kind: 'reply' | 'mention'
  threadId: string
  commentId: string | null
  latestId: string
  place: number
}

async function toldOf(db: Database, comment: NewComment): Promise<Told[]> {
  const { threadId, authorKey, answered } = comment
  const named = await peopleNamed(db, threadId, comment.body)
  const mentioned = named
    .filter((key) => key !== authorKey && key !== answered)
    .slice(0, MENTIONS_MAX)
  const replied = answered === null || answered === authorKey ? [] : [answered]
  const latest = { threadId, latestId: comment.id, place: comment.place }
  return [
    ...replied.map((key) => ({
      ...latest,
      key,
      kind: 'reply' as const,
      commentId: comment.parentId,
    })),
    ...mentioned.map((key) => ({ ...latest, key, kind: 'mention' as const, commentId: null })),
  ]
}

/** What goes into the same row goes in together: a statement can change a row once. */
const tell = ({ db, now }: DataContext, told: Told[]) =>
  db.query(
    sql`
    with news as (
      select told.key, told.kind, told."threadId", told."commentId",
             (array_agg(told."latestId" order by told.place desc))[1] as "latestId",
             max(told.place) as place,
             count(*) filter (where told.place > coalesce(before.latest_place, 0)) as fresh
        from jsonb_to_recordset(${JSON.stringify(told)}::text::jsonb) as told (
               key text, kind text, "threadId" uuid, "commentId" uuid, "latestId" uuid, place integer)
        left join notifications before
          on before.author_key = told.key and before.thread_id = told."threadId"
         and before.kind = told.kind and before.kind <> 'alert'
         and before.comment_id is not distinct from told."commentId"
       where not exists (select from muted_threads muted
                          where muted.author_key = told.key and muted.thread_id = told."threadId")
       group by told.key, told.kind, told."threadId", told."commentId")
    insert into notifications as known
      (author_key, kind, thread_id, comment_id, latest_id, latest_place, count, minute)
    select key, kind, "threadId", "commentId", "latestId", place, fresh, ${minuteOf(now())} from news
     where fresh > 0
    on conflict (author_key, kind, thread_id, comment_id) where kind <> 'alert' do update
       set count = case when known.is_read then excluded.count else known.count + excluded.count end,
           is_mailed = known.is_mailed and not known.is_read, is_read = false,
           latest_id = excluded.latest_id, latest_place = excluded.latest_place,
           minute = excluded.minute`,
    { name: 'tell of posts' },
  )

interface RuledPost {
  threadId: string
  authorKey: string
  hidden: HiddenState | null
  isLocked: boolean
}

/** What a decision made of the post. Where it is not so any more, a later decision tells. */
const HOLDS: Partial<Record<ModerationEvent, (post: RuledPost) => boolean>> = {
  held: ({ hidden }) => hidden === 'held',
  removed: ({ hidden }) => hidden === 'removed',
  'appeal-declined': ({ hidden }) => hidden === 'removed',
  restored: ({ hidden }) => hidden === null,
  locked: ({ isLocked }) => isLocked,
}

/**
 * Tells an author what moderators did to a post; the latest decision takes the older one's place.
 * Muting a thread does not mute this.
 */
export async function notifyOfRuling(base: DataContext, { kind, id, event, reason }: Ruling) {
  await transaction(base, async ({ db, now }) => {
    const post = await lockPost(db, { kind, id })
    if (!post || HOLDS[event]?.(post) === false) return
    await db.query(sql`
      insert into notifications as known
        (author_key, kind, thread_id, comment_id, event, reason, minute)
      values (${post.authorKey}, 'moderation', ${post.threadId}, ${kind === 'comment' ? id : null},
              ${event}, ${reason}, ${minuteOf(now())})
      on conflict (author_key, kind, thread_id, comment_id) where kind <> 'alert' do update
         set event = excluded.event, reason = excluded.reason, minute = excluded.minute,
             is_read = false, is_mailed = false
       where (known.event, known.reason) is distinct from (excluded.event, excluded.reason)
          or known.minute < excluded.minute - ${SAME_RULING_MINUTES}::integer`)
  })
  // Nobody was told of what was held from its first moment.
  if (event === 'restored') await notifyOfPost(base, { kind, id })
}

async function lockPost(db: Database, { kind, id }: Post): Promise<RuledPost | undefined> {
  const [thread] = await db.query<RuledPost>(sql`
    select id as "threadId", author_key as "authorKey", hidden, is_locked as "isLocked" from threads
     where id = ${kind === 'thread' ? sql`${id}` : sql`(select thread_id from comments where id = ${id})`}
       for no key update`)
  if (!thread || kind === 'thread') return thread
  const [comment] = await db.query<Pick<RuledPost, 'authorKey' | 'hidden'>>(sql`
    select author_key as "authorKey", hidden from comments where id = ${id} and not is_deleted`)
  return comment && { ...thread, ...comment }
}
