/**
 * Jobs that write news, after the commit of what they tell of. They may run twice, and one may
 * overtake another. The thread is taken first, as every writer does.
 */
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { minuteOf } from '../discussions/discussion.ts'
import type { HiddenState, PostKind } from '../moderation/moderation.ts'
import { alertOfThread } from './alert-job.server.ts'
import { peopleNamed } from './mentions.server.ts'
import { MENTIONS_MAX, type ModerationEvent } from './notification.ts'

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
 * Tells of a new comment: whoever it answers, then those whom it names. Of a new thread: who follows
 * its company; nobody has a name in it yet.
 */
export async function notifyOfPost(base: DataContext, { kind, id }: Post) {
  if (kind === 'thread') await alertOfThread(base, id)
  if (kind !== 'comment') return
  await transaction(base, async ({ db, now }) => {
    await db.query(sql`
      select from threads where id = (select thread_id from comments where id = ${id})
         for no key update`)
    // In the order of their places, for a row counts on from the last place that it counted.
    for (const comment of await commentsUpTo(db, id)) await tellOf({ db, now }, comment)
  })
}

/** A comment that may be told of, and those just before it, whose own jobs may come later. */
const commentsUpTo = (db: Database, id: string) =>
  db.query<NewComment>(sql`
    select comment.id, comment.thread_id as "threadId", comment.parent_id as "parentId",
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
     where asked.id = ${id} and thread.hidden is null
       and comment.hidden is null and not comment.is_deleted
     order by comment.place`)

async function tellOf({ db, now }: DataContext, comment: NewComment) {
  const { threadId, authorKey, answered } = comment
  const named = await peopleNamed(db, threadId, comment.body)
  const mentioned = named
    .filter((key) => key !== authorKey && key !== answered)
    .slice(0, MENTIONS_MAX)
  const replied = answered === null || answered === authorKey ? [] : [answered]
  const keys = [...replied, ...mentioned]
  if (keys.length === 0) return
  const kinds = keys.map((_, i) => (i < replied.length ? 'reply' : 'mention'))
  await db.query(sql`
    insert into notifications as known
      (author_key, kind, thread_id, comment_id, latest_id, latest_place, minute)
    select told.key, told.kind, ${threadId}, case when told.kind = 'reply' then ${comment.parentId}::uuid end,
           ${comment.id}, ${comment.place}, ${minuteOf(now())}
      from unnest(${keys}::text[], ${kinds}::text[]) as told (key, kind)
     where not exists (select from muted_threads muted
                        where muted.author_key = told.key and muted.thread_id = ${threadId})
    on conflict (author_key, kind, thread_id, comment_id) where kind <> 'alert' do update
       set count = case when known.is_read then 1 else known.count + 1 end,
           is_mailed = known.is_mailed and not known.is_read, is_read = false,
           latest_id = excluded.latest_id, latest_place = excluded.latest_place,
           minute = excluded.minute
     where known.latest_place < excluded.latest_place`)
}

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
