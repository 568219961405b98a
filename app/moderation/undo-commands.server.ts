/** Undoing a decision. The log gets an entry of its own for it. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-posts.server.ts'
import type { LockedPost } from '#app/community/reports/moderated-post.server.ts'
import type { Action, ModerationEvent, PostRef } from '#app/community/reports/report.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { type CaseBefore, closeCase, takeCase } from './cases.server.ts'
import { moderatorIn } from './decision-commands.server.ts'
import { type Before, currentRemoval, isContradicted, writeEntry } from './moderation-log.server.ts'
import { enqueueRuling, hidePost, lockPost, postOf } from './posts.server.ts'
import { countRemoval } from './removal-counts.server.ts'

interface Done extends PostRef {
  threadId: string | null
  action: Action
  before: Before
  isUndone: boolean
  isContradicted: boolean
}

/**
 * Undoes an entry of the log, no matter which moderator's.
 * @throws Refusal not-found; forbidden for a suspension, unless by an administrator; conflict for what was undone, or decided again since
 */
export async function undoDecision(ctx: Ctx, entry: number) {
  const moderator = moderatorIn(ctx)
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { kind, id } = await decisionOf(db, entry)
    const post: PostRef = { kind, id }
    const kept = await lockPost(db, post)
    // Read again: it may have been undone while we waited for the post.
    const done = await decisionOf(db, entry)
    if (done.action === 'suspend' && !may.suspendAuthors(ctx.actor))
      throw new Refusal('forbidden', 'Only an administrator can end a suspension')
    requireUndoable(done, kept)
    const undoing = await writeEntry(ctx, moderator, {
      post,
      threadId: done.threadId,
      action: 'undo',
      before: { detail: `#${entry}` },
    })
    const undone = await db.query(sql`
      update moderation_log set undone_by = ${undoing.entry}
       where id = ${entry} and undone_by is null returning id`)
    if (undone.length === 0) throw new Refusal('conflict', ALREADY_UNDONE)
    const event = await putBack(ctx, { ...done, post, kept })
    if (event) await enqueueRuling(ctx, db, { ...post, ...event })
    return undoing
  })
}

const ALREADY_UNDONE = 'This decision is already undone'

async function decisionOf(db: Database, entry: number): Promise<Done> {
  const [done] = await db.query<Done>(sql`
    select action, ${postOf(sql`done`)}, thread_id as "threadId", before,
           undone_by is not null as "isUndone", ${isContradicted} as "isContradicted"
      from moderation_log done where id = ${entry}`)
  if (!done) throw notFound('The log has no such entry')
  return done
}

function requireUndoable(done: Done, kept: LockedPost | undefined) {
  const conflict = (sentence: string) => new Refusal('conflict', sentence)
  if (done.action === 'undo') throw conflict('You can’t undo an undo. Decide again instead.')
  if (done.action === 'count-votes' || done.action === 'drop-votes')
    throw conflict('We don’t keep which votes these were, so you can’t undo this')
  if (done.isUndone) throw conflict(ALREADY_UNDONE)
  if (done.isContradicted)
    throw conflict('There’s a later decision about this. Undo that one first.')
  // A suspension outlives its post, and it must be possible to end it.
  if (!kept && done.action !== 'suspend') throw conflict('This post no longer exists')
}

interface Undoing extends Done {
  post: PostRef
  kept: LockedPost | undefined
}

type Event = { event: ModerationEvent; reason: string | null }

/** Answers what to tell the author. */
async function putBack(ctx: Ctx, undoing: Undoing): Promise<Event | undefined> {
  const { db } = ctx
  const { action, before, post } = undoing
  switch (action) {
    case 'lock':
      await moderatedThreads.unlock(db, post.id)
      return undefined
    case 'unlock':
      await moderatedThreads.lockWith(db, post.id, before.lockNote ?? null)
      return { event: 'locked', reason: null }
    case 'slow':
    case 'unslow':
      await moderatedThreads.setSlow(db, post.id, before.slowMinutes ?? null)
      return undefined
    case 'pin':
    case 'unpin':
      await moderatedThreads.setPinned(db, post.id, action === 'unpin')
      return undefined
    case 'move':
      await moderatedThreads.move(db, post.id, before.companyId ?? null)
      return { event: 'moved', reason: null }
    case 'suspend':
      await db.query(sql`delete from suspensions where id = ${before.suspensionId ?? null}`)
      return undefined
    default:
      return before.sight && restoreVisibility(ctx, undoing, before.sight)
  }
}

async function restoreVisibility(
  ctx: Ctx,
  { action, before, post, kept }: Undoing,
  sight: CaseBefore,
): Promise<Event | undefined> {
  const { db } = ctx
  const { hidden } = sight
  const hasChanged = (kept?.hidden ?? null) !== (hidden?.state ?? null)
  if (hasChanged) await hidePost(db, post, hidden)
  const itsCase = await takeCase(ctx, post)
  const isRemoved = hidden?.state === 'removed'
  if (isRemoved) await closeCase(db, itsCase)
  else if (sight.hasReports)
    await db.query(sql`update reports set is_settled = false where case_id = ${itsCase.id}`)
  // Undoing a removal grants the appeal against it.
  const appealStatus = sight.appealStatus ?? (itsCase.appeal === null ? null : 'accepted')
  await db.query(sql`
    update moderation_cases
       set is_open = ${!isRemoved && (itsCase.isOpen || sight.isOpen)},
           is_cleared = ${sight.isCleared}, note = ${sight.note}, appeal_status = ${appealStatus},
           decided_by = (select moderator_id from (${currentRemoval(post)}) removal)
     where id = ${itsCase.id}`)
  if (before.counted) await countRemoval(db, before.counted, action === 'remove' ? -1 : 1)
  if (!hasChanged) return undefined
  return { event: hidden?.state ?? 'restored', reason: hidden?.reason ?? null }
}
