/** The log of decisions: who decided what, on which day, and what undoing needs to know. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-threads.server.ts'
import type { LockedPost } from '#app/community/reports/post-moderation.server.ts'
import { ACTIONS, type Action, type PostKind, type PostRef } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { foreignCursor } from '#app/platform/database/keyset.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, forbidden, notFound } from '#app/platform/http/refusal.ts'
import { type CaseBefore, closeCase, lockOrCreateCase } from './cases.server.ts'
import type { LogEntry } from './moderation.contract.ts'
import { MODERATION_REFUSALS } from './moderation.ts'
import {
  enqueueAuthorNotice,
  hidePost,
  lockPost,
  POST_COLUMNS,
  postOf,
  viewPosts,
} from './posts.server.ts'
import { type CountedRemoval, countRemoval } from './removal-counts.server.ts'

/**
 * What moderators decide about posts. Holds are missing because they're automatic, and undoing
 * because it's about a decision.
 */
export type DecisionAction = Exclude<Action, 'hold' | 'undo'>

/** The state before a decision. No author key and no account id, because the log outlives both. */
export interface Before {
  visibility?: CaseBefore
  /** Where we counted a removal. */
  counted?: CountedRemoval
  suspensionId?: string
  companyId?: string | null
  /** Why a thread was locked, for readers. */
  lockNote?: string | null
  slowMinutes?: number | null
  /** Only moderators can read it. */
  detail?: string
}

export interface Moderator {
  id: string
  name: string
}

/** The moderator, as the log names them. */
export function moderatorIn(ctx: Ctx): Moderator {
  const { id, username } = requireAccount(ctx)
  return { id, name: username ?? 'A moderator' }
}

interface NewEntry {
  post: PostRef
  threadId: string | null
  action: Action
  reason?: Reason | null
  note?: string
  before?: Before
}

/** Run it in the decision's transaction. */
export async function writeEntry({ db, now }: Ctx, moderator: Moderator, entry: NewEntry) {
  const { post, threadId, action, reason, note, before } = entry
  const idOf = (kind: PostKind) => (post.kind === kind ? post.id : null)
  const [written] = await db.query<{ entry: number }>(sql`
    insert into moderation_log (done_on, moderator_id, moderator_name, action, thread_id, comment_id,
                                note_id, job_id, reply_id, room_post_id, reason, note, before)
    values (${dayOf(now())}::date, ${moderator.id}, ${moderator.name}, ${action}, ${threadId},
            ${idOf('comment')}, ${idOf('note')}, ${idOf('job')}, ${idOf('reply')}, ${idOf('room')},
            ${reason ?? null}, ${note || null}, ${JSON.stringify(before ?? {})}::text::jsonb)
    returning id as entry`)
  return written as { entry: number }
}

interface ActionRule {
  /** Only decisions of the same aspect can contradict each other. */
  aspect: 'visibility' | 'lock' | 'pin' | 'slow' | 'votes' | 'move' | 'suspend' | 'hold' | 'undo'
  /** Restores what was before and tells the author, or says why that's impossible. */
  undo: string | ((ctx: Ctx, undoing: Undoing) => Promise<unknown>)
}

const ofVisibility: ActionRule = { aspect: 'visibility', undo: restoreVisibility }
const ofSlowMode: ActionRule = {
  aspect: 'slow',
  undo: ({ db }, { post, before }) =>
    moderatedThreads.setSlow(db, post.id, before.slowMinutes ?? null),
}
const ofPin = (wasPinned: boolean): ActionRule => ({
  aspect: 'pin',
  undo: ({ db }, { post }) => moderatedThreads.setPinned(db, post.id, wasPinned),
})
const ofVotes: ActionRule = { aspect: 'votes', undo: MODERATION_REFUSALS.votesNotKept }

const ACTION_RULES: Record<Action, ActionRule> = {
  keep: ofVisibility,
  remove: ofVisibility,
  'accept-appeal': ofVisibility,
  'decline-appeal': ofVisibility,
  hold: { aspect: 'hold', undo: restoreVisibility },
  lock: { aspect: 'lock', undo: ({ db }, { post }) => moderatedThreads.unlock(db, post.id) },
  unlock: {
    aspect: 'lock',
    undo: async (ctx, { post, before }) => {
      await moderatedThreads.lockWith(ctx.db, post.id, before.lockNote ?? null)
      await enqueueAuthorNotice(ctx, { ...post, event: 'locked', reason: null })
    },
  },
  slow: ofSlowMode,
  unslow: ofSlowMode,
  pin: ofPin(false),
  unpin: ofPin(true),
  move: {
    aspect: 'move',
    undo: async (ctx, { post, before }) => {
      await moderatedThreads.move(ctx.db, post.id, before.companyId ?? null)
      await enqueueAuthorNotice(ctx, { ...post, event: 'moved', reason: null })
    },
  },
  suspend: {
    aspect: 'suspend',
    undo: ({ db }, { before }) =>
      db.query(sql`delete from suspensions where id = ${before.suspensionId ?? null}`),
  },
  'count-votes': ofVotes,
  'drop-votes': ofVotes,
  undo: { aspect: 'undo', undo: MODERATION_REFUSALS.undoOfUndo },
}

const UNDOABLE = ACTIONS.filter((action) => typeof ACTION_RULES[action].undo !== 'string')

const ASPECTS = JSON.stringify(
  Object.fromEntries(ACTIONS.map((action) => [action, ACTION_RULES[action].aspect])),
)
const aspectOf = (action: Sql) => sql`(${ASPECTS}::text::jsonb ->> ${action})`

/** Undoing may be about any aspect. */
const isOfAspect = (aspect: Sql) => sql`(action = 'undo' or ${aspectOf(sql`action`)} = ${aspect})`

const isAboutPost = ({ kind, id }: PostRef) =>
  sql`${POST_COLUMNS[kind]} = ${id} ${kind === 'thread' ? sql`and comment_id is null` : empty}`

/** The number of the last entry about this aspect of a post, or 0. */
export async function latestEntry(
  db: Database,
  post: PostRef,
  action: DecisionAction,
): Promise<number> {
  const [latest] = await db.query<{ entry: number }>(sql`
    select coalesce(max(id), 0) as entry from moderation_log
     where ${isAboutPost(post)} and ${isOfAspect(aspectOf(sql`${action}::text`))}`)
  return latest?.entry ?? 0
}

/** The last entry about each post, which is what a moderator who sees the posts now knows. */
async function latestEntriesWhere(db: Database, which: Sql): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; entry: number }>(sql`
    select coalesce(comment_id, note_id, job_id, reply_id, room_post_id, thread_id) as id, max(id) as entry
      from moderation_log where ${which} group by 1`)
  return new Map(rows.map(({ id, entry }) => [id, entry]))
}

export const latestEntries = (db: Database, ids: string[]) =>
  latestEntriesWhere(
    db,
    sql`thread_id = any (${ids}::uuid[]) and comment_id is null
        or comment_id = any (${ids}::uuid[]) or note_id = any (${ids}::uuid[])
        or job_id = any (${ids}::uuid[]) or reply_id = any (${ids}::uuid[])
        or room_post_id = any (${ids}::uuid[])`,
  )

const asAnswer = async (latest: Promise<Map<string, number>>) => ({
  entries: Object.fromEntries(await latest),
})

/** The entries about a thread and its comments. */
export const latestInThread = ({ db }: Ctx, threadId: string) =>
  asAnswer(latestEntriesWhere(db, sql`thread_id = ${threadId}`))

export const latestAboutNotes = ({ db }: Ctx, companyId: string) =>
  asAnswer(
    latestEntriesWhere(
      db,
      sql`note_id in (select id from public_ratings where company_id = ${companyId}
                      union all select id from public_interviews where company_id = ${companyId})`,
    ),
  )

/** The last decision about the same aspect of this post. */
export async function latestDecision(db: Database, post: PostRef, wanted: DecisionAction) {
  const [latest] = await db.query<{
    moderator: string
    action: Action
    detail: string | null
    reason: string | null
  }>(sql`
    select moderator_name as moderator, action, before ->> 'detail' as detail, reason
      from moderation_log
     where ${isAboutPost(post)} and ${isOfAspect(aspectOf(sql`${wanted}::text`))}
     order by id desc limit 1`)
  return latest
}

/** Whether a later decision about the same aspect stands, for an entry `done`. */
const isContradicted = sql`exists (
  select from moderation_log later
   where (later.note_id = done.note_id or later.job_id = done.job_id
          or later.reply_id = done.reply_id or later.room_post_id = done.room_post_id
          or later.thread_id = done.thread_id
                   and later.comment_id is not distinct from done.comment_id)
     and later.id > done.id and later.undone_by is null
     and ${aspectOf(sql`later.action`)} = ${aspectOf(sql`done.action`)})`

/** The removal of this post that's still in effect. */
export const currentRemoval = (post: PostRef): Sql => sql`
  select moderator_id, before from moderation_log
   where ${isAboutPost(post)} and action = 'remove' and undone_by is null
   order by id desc limit 1`

/** Entries of a page. */
const PAGE = 30
const ENTRY = /^\d{1,15}$/

interface RawEntry extends Omit<LogEntry, 'thread' | 'href'> {
  id: string
  threadId: string | null
}

/**
 * A page of the log, newest first. @param after the number of the previous page's last entry
 * @throws Refusal bad-request
 */
export async function moderationLog(ctx: Ctx, after?: string) {
  if (after !== undefined && !ENTRY.test(after)) throw foreignCursor()
  const rows = await ctx.db.query<RawEntry>(sql`
    select id as entry, done_on as day, moderator_name as moderator, action, reason, note,
           before ->> 'detail' as detail, undone_by is not null as "isUndone",
           ${postOf(sql`done`)}, thread_id as "threadId",
           action = any (${UNDOABLE}::text[]) and undone_by is null and not ${isContradicted} as "mayUndo"
      from moderation_log done ${after === undefined ? empty : sql`where id < ${after}::bigint`}
     order by done.id desc limit ${PAGE + 1}`)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  // Even if a comment is gone, its thread may still be there to link to.
  const threads = shown.flatMap(({ threadId: id }) =>
    id === null ? [] : [{ kind: 'thread' as const, id }],
  )
  const views = await viewPosts(ctx.db, [...shown, ...threads])
  return {
    entries: shown.map(({ id, threadId, ...entry }): LogEntry => {
      const view = views.get(id)
      return {
        ...entry,
        thread: views.get(threadId ?? id)?.thread ?? null,
        href: view?.href ?? null,
        mayUndo:
          entry.mayUndo &&
          (entry.action === 'suspend' ? may.suspendAuthors(ctx.actor) : view !== undefined),
      }
    }),
    next: rows.length > PAGE && last ? String(last.entry) : null,
  }
}

interface Done extends PostRef {
  threadId: string | null
  action: Action
  before: Before
  isUndone: boolean
  isContradicted: boolean
}

/**
 * Undoes any moderator's entry in the log, and logs that, too. @throws Refusal not-found; forbidden
 * for a suspension, unless by an administrator; conflict if undone, or decided again since
 */
export async function undoDecision(ctx: Ctx, entry: number) {
  const moderator = moderatorIn(ctx)
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { kind, id } = await decisionOf(db, entry)
    const post: PostRef = { kind, id }
    const stored = await lockPost(db, post)
    // Read the entry again, because it may have been undone while we waited for the post.
    const done = await decisionOf(db, entry)
    if (done.action === 'suspend' && !may.suspendAuthors(ctx.actor))
      throw forbidden(MODERATION_REFUSALS.onlyAdminsEndSuspensions)
    const undo = requireUndoable(done, stored)
    const undoing = await writeEntry(ctx, moderator, {
      post,
      threadId: done.threadId,
      action: 'undo',
      before: { detail: `#${entry}` },
    })
    const undone = await db.query(sql`
      update moderation_log set undone_by = ${undoing.entry}
       where id = ${entry} and undone_by is null returning id`)
    if (undone.length === 0) throw conflict(MODERATION_REFUSALS.undone)
    await undo(ctx, { ...done, post, stored })
    return undoing
  })
}

async function decisionOf(db: Database, entry: number): Promise<Done> {
  const [done] = await db.query<Done>(sql`
    select action, ${postOf(sql`done`)}, thread_id as "threadId", before,
           undone_by is not null as "isUndone", ${isContradicted} as "isContradicted"
      from moderation_log done where id = ${entry}`)
  if (!done) throw notFound(MODERATION_REFUSALS.noEntry)
  return done
}

/** Returns what undoes the decision. */
function requireUndoable(done: Done, stored: LockedPost | undefined) {
  const { undo } = ACTION_RULES[done.action]
  if (typeof undo === 'string') throw conflict(undo)
  if (done.isUndone) throw conflict(MODERATION_REFUSALS.undone)
  if (done.isContradicted) throw conflict(MODERATION_REFUSALS.laterDecision)
  // A suspension outlives its post, and moderators must be able to end it.
  if (!stored && done.action !== 'suspend') throw conflict(MODERATION_REFUSALS.postGone)
  return undo
}

interface Undoing extends Done {
  post: PostRef
  stored: LockedPost | undefined
}

async function restoreVisibility(ctx: Ctx, { action, before, post, stored }: Undoing) {
  const { db } = ctx
  const { visibility } = before
  if (!visibility) return
  const { hidden } = visibility
  const hasChanged = (stored?.hidden ?? null) !== (hidden?.state ?? null)
  if (hasChanged) await hidePost(db, post, hidden)
  const itsCase = await lockOrCreateCase(ctx, post)
  const isRemoved = hidden?.state === 'removed'
  if (isRemoved) await closeCase(db, itsCase)
  else if (visibility.hasReports)
    await db.query(sql`update reports set is_settled = false where case_id = ${itsCase.id}`)
  // Undoing a removal also accepts the appeal against it.
  const appealStatus = visibility.appealStatus ?? (itsCase.appeal === null ? null : 'accepted')
  await db.query(sql`
    update moderation_cases
       set is_open = ${!isRemoved && (itsCase.isOpen || visibility.isOpen)},
           is_cleared = ${visibility.isCleared}, note = ${visibility.note}, appeal_status = ${appealStatus},
           decided_by = (select moderator_id from (${currentRemoval(post)}) removal)
     where id = ${itsCase.id}`)
  if (before.counted) await countRemoval(db, before.counted, action === 'remove' ? -1 : 1)
  if (hasChanged) {
    const event = hidden?.state ?? 'restored'
    await enqueueAuthorNotice(ctx, { ...post, event, reason: hidden?.reason ?? null })
  }
}
