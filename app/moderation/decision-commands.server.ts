/** Moderators' decisions, each with its entry in the log. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-threads.server.ts'
import {
  countHeldVotes,
  dropHeldVotes,
  heldVotes,
} from '#app/community/discussions/votes/held-votes.server.ts'
import type { DecidedTogether, SeenPost } from '#app/community/reports/decision.contract.ts'
import { noteToAuthorProblem } from '#app/community/reports/note-to-author.ts'
import type { LockedPost } from '#app/community/reports/post-moderation.server.ts'
import {
  LOCK_NOTE_MAX,
  type ModerationEvent,
  type PostRef,
  type SlowMinutes,
  slowText,
} from '#app/community/reports/report.ts'
import { type Reason, reasonName } from '#app/identity/accounts/suspension.ts'
import { lengthProblem, oneLine } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { reportOmittedRows } from '#app/platform/database/rows.server.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import {
  answerOf,
  conflict,
  isRefusal,
  notFound,
  requireValid,
} from '#app/platform/http/refusal.ts'
import {
  type CaseBefore,
  type CaseRow,
  closeCase,
  lockOrCreateCase,
  openCase,
} from './cases.server.ts'
import { closesWithVotes, decisionText, heldVotesText, MODERATION_REFUSALS } from './moderation.ts'
import {
  type Before,
  type DecisionAction,
  latestDecision,
  latestEntry,
  type Moderator,
  moderatorIn,
  writeEntry,
} from './moderation-log.server.ts'
import { enqueueAuthorNotice, filledNoteToAuthor, hidePost, lockPost } from './posts.server.ts'
import { countRemoval } from './removal-counts.server.ts'

/** What a decision records. */
interface Outcome {
  reason?: Reason | null
  /** A note to the author, or to readers of a locked thread. */
  note?: string
  /** What to tell the author, if anything. */
  event?: ModerationEvent
  before?: Before
}

/** A post as the moderator saw it: with the last log entry about it. By default, the latest one. */
export interface PostAsSeen extends PostRef {
  seen?: number
}

/**
 * Decides in one transaction. If two moderators decide at once, one wins, and the other must see that decision first.
 * @throws Refusal not-found, conflict
 */
export async function decide(
  ctx: Ctx,
  { seen, ...post }: PostAsSeen,
  action: DecisionAction,
  work: (ctx: Ctx, subject: { stored: LockedPost; moderator: Moderator }) => Promise<Outcome>,
) {
  const moderator = moderatorIn(ctx)
  const known = seen ?? (await latestEntry(ctx.db, post, action))
  return transaction(ctx, async (ctx) => {
    const stored = await lockPost(ctx.db, post)
    if (!stored) throw notFound(MODERATION_REFUSALS.postGone)
    if ((await latestEntry(ctx.db, post, action)) > known)
      throw conflict(
        seen === undefined
          ? MODERATION_REFUSALS.justDecided
          : await refusalAfter(ctx, post, action),
      )
    const { event, ...outcome } = await work(ctx, { stored, moderator })
    if (event) await enqueueAuthorNotice(ctx, { ...post, event, reason: outcome.reason ?? null })
    return writeEntry(ctx, moderator, { post, threadId: stored.threadId, action, ...outcome })
  })
}

async function refusalAfter({ db }: Ctx, post: PostRef, wanted: DecisionAction) {
  const latest = await latestDecision(db, post, wanted)
  if (!latest) return MODERATION_REFUSALS.justDecided
  const { moderator, action, detail, reason } = latest
  const why = reason === null ? '' : `: ${reasonName(reason)}`
  const decision = decisionText({ action, kind: post.kind, detail }) + why
  return MODERATION_REFUSALS.meanwhile(moderator, decision)
}

/** What undoing puts back. */
export const caseBefore = (
  { hidden, hiddenReason }: LockedPost,
  { isOpen, isCleared, note, appealStatus, hasReports }: CaseRow,
): CaseBefore => ({
  hidden: hidden && { state: hidden, reason: hiddenReason },
  isOpen,
  isCleared,
  note,
  appealStatus,
  hasReports,
})

/** Decisions about a room's posts stay in the room. */
const isCounted = ({ kind }: PostRef) => kind !== 'room'

interface Removal {
  reason: Reason
  /** A note to the author. */
  note: string
}

/** Keeps a post visible. From then on, reports alone don't hold it. @throws Refusal conflict */
export const keepPost = (ctx: Ctx, post: PostAsSeen) =>
  decide(ctx, post, 'keep', async (ctx, { stored }) => {
    if (stored.hidden === 'removed') throw conflict(MODERATION_REFUSALS.wasRemoved)
    if ((await heldVotes(ctx.db, [post.id])).size > 0)
      throw conflict(MODERATION_REFUSALS.votesFirst)
    const itsCase = await lockOrCreateCase(ctx, post)
    if (!itsCase.isOpen && stored.hidden === null)
      throw conflict(MODERATION_REFUSALS.nothingToDecide)
    if (stored.hidden) await hidePost(ctx.db, post, null)
    await closeCase(ctx.db, itsCase, sql`is_cleared = true`)
    return {
      before: { visibility: caseBefore(stored, itsCase) },
      event: stored.hidden ? 'restored' : undefined,
    }
  })

/** @throws Refusal bad-request, not-found, conflict if already removed */
export async function removePost(ctx: Ctx, post: PostAsSeen, removal: Removal) {
  requireValid(noteToAuthorProblem(removal.note))
  return decide(ctx, post, 'remove', async (ctx, { stored, moderator }) => {
    if (stored.hidden === 'removed') throw conflict(MODERATION_REFUSALS.alreadyRemoved)
    const { reason } = removal
    const note = await filledNoteToAuthor(ctx.db, post, removal)
    const itsCase = await lockOrCreateCase(ctx, post)
    await hidePost(ctx.db, post, { state: 'removed', reason })
    await closeCase(ctx.db, itsCase, sql`note = ${note || null}, decided_by = ${moderator.id}`)
    const month = `${dayOf(ctx.now()).slice(0, 7)}-01`
    const counted = { kind: post.kind, companyId: stored.companyId, month, reason }
    if (isCounted(post)) await countRemoval(ctx.db, counted, 1)
    return {
      reason,
      note,
      before: { visibility: caseBefore(stored, itsCase), ...(isCounted(post) && { counted }) },
      event: 'removed',
    }
  })
}

export const keepPosts = (ctx: Ctx, posts: SeenPost[]) =>
  decideTogether(posts, (post) => keepPost(ctx, post))

export async function removePosts(ctx: Ctx, posts: SeenPost[], removal: Removal) {
  requireValid(noteToAuthorProblem(removal.note))
  return decideTogether(posts, (post) => removePost(ctx, post, removal))
}

/**
 * Decides one post after the other, each in its own transaction. What others decided meanwhile stays, and the
 * answer says which. Rejects only if nothing was done.
 */
async function decideTogether(
  posts: SeenPost[],
  decideOne: (post: SeenPost) => Promise<{ entry: number }>,
): Promise<DecidedTogether> {
  const decided: DecidedTogether['decided'] = []
  const left: DecidedTogether['left'] = []
  const distinct = new Map(posts.map((post) => [post.id, post]))
  let isAway = false
  for (const { seen, ...post } of distinct.values()) {
    try {
      if (isAway) left.push({ ...post, why: MODERATION_REFUSALS.notNow })
      else decided.push({ ...post, ...(await decideOne({ ...post, seen })) })
    } catch (error) {
      const why = refusedWith(error)
      if (why === undefined && decided.length === 0) throw error
      // Stop here: if the database is away, or this is a bug, the others would only fail, too.
      isAway = why === undefined
      if (isAway && !answerOf(error)) reportOmittedRows('posts decided together', 1, error)
      left.push({ ...post, why: why ?? MODERATION_REFUSALS.notNow })
    }
  }
  return { decided, left }
}

const refusedWith = (error: unknown) => (isRefusal(error) ? error.message : undefined)

const threadOf = (id: string, seen?: number): PostAsSeen => ({ kind: 'thread', id, seen })

function requireChange(isChange: boolean, sentence: string) {
  if (!isChange) throw conflict(sentence)
}

/**
 * @param words why, for readers. May be empty @throws Refusal bad-request, not-found, conflict if already locked
 */
export async function lockThread(ctx: Ctx, id: string, words = '', seen?: number) {
  const lockNote = oneLine(words)
  requireValid(lengthProblem(lockNote, LOCK_NOTE_MAX))
  return decide(ctx, threadOf(id, seen), 'lock', async ({ db }, { stored }) => {
    requireChange(!stored.isLocked, MODERATION_REFUSALS.locked)
    await moderatedThreads.lockWith(db, id, lockNote || null)
    return { event: 'locked', note: lockNote }
  })
}

export const unlockThread = (ctx: Ctx, id: string, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'unlock', async ({ db }, { stored }) => {
    requireChange(stored.isLocked, MODERATION_REFUSALS.notLocked)
    const { lockNote } = await moderatedThreads.rules(db, id)
    await moderatedThreads.unlock(db, id)
    return { before: { lockNote } }
  })

/** Lets everyone comment only once in this many minutes. Readers see that. */
export const slowThread = (ctx: Ctx, id: string, minutes: SlowMinutes, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'slow', async ({ db }) => {
    const { slowMinutes } = await moderatedThreads.rules(db, id)
    requireChange(slowMinutes !== minutes, MODERATION_REFUSALS.slow)
    await moderatedThreads.setSlow(db, id, minutes)
    return { before: { slowMinutes, detail: slowText(minutes) } }
  })

export const unslowThread = (ctx: Ctx, id: string, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'unslow', async ({ db }) => {
    const { slowMinutes } = await moderatedThreads.rules(db, id)
    requireChange(slowMinutes !== null, MODERATION_REFUSALS.notSlow)
    await moderatedThreads.setSlow(db, id, null)
    return { before: { slowMinutes } }
  })

export const pinThread = (ctx: Ctx, id: string, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'pin', async ({ db }, { stored }) => {
    requireChange(!stored.isPinned, MODERATION_REFUSALS.pinned)
    await moderatedThreads.setPinned(db, id, true)
    return {}
  })

export const unpinThread = (ctx: Ctx, id: string, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'unpin', async ({ db }, { stored }) => {
    requireChange(stored.isPinned, MODERATION_REFUSALS.notPinned)
    await moderatedThreads.setPinned(db, id, false)
    return {}
  })

/** @param companyId null for a thread about no company. @throws Refusal bad-request as well */
export const moveThread = (ctx: Ctx, id: string, companyId: string | null, seen?: number) =>
  decide(ctx, threadOf(id, seen), 'move', async ({ db }, { stored }) => {
    requireChange(stored.companyId !== companyId, MODERATION_REFUSALS.alreadyThere)
    await moderatedThreads.move(db, id, companyId)
    const [moved] = await moderatedThreads.views(db, [id])
    const detail = moved?.company?.name ?? 'No company'
    return { event: 'moved', before: { companyId: stored.companyId, detail } }
  })

/** Puts a post in the queue because a burst of visitors' votes is waiting. Run it while the post is locked. */
export async function fileVotes(ctx: DataContext, post: PostRef) {
  await openCase(ctx, await lockOrCreateCase(ctx, post, 'votes'), 'votes')
}

/** @throws Refusal conflict if no votes are waiting */
export const acceptHeldVotes = (ctx: Ctx, post: PostRef) =>
  decideVotes(ctx, post, 'count-votes', (db, { threadId }) =>
    countHeldVotes(db, post, threadId as string),
  )

export const discardHeldVotes = (ctx: Ctx, post: PostRef) =>
  decideVotes(ctx, post, 'drop-votes', (db) => dropHeldVotes(db, post))

const decideVotes = (
  ctx: Ctx,
  post: PostRef,
  action: 'count-votes' | 'drop-votes',
  settle: (db: Database, stored: LockedPost) => Promise<unknown>,
) =>
  decide(ctx, post, action, async (ctx, { stored }) => {
    const held = (await heldVotes(ctx.db, [post.id])).get(post.id)
    if (!held) throw conflict(MODERATION_REFUSALS.noVotes)
    const itsCase = await lockOrCreateCase(ctx, post)
    await settle(ctx.db, stored)
    if (closesWithVotes(itsCase.hasReports, stored.hidden))
      await ctx.db.query(sql`update moderation_cases set is_open = false where id = ${itsCase.id}`)
    return { before: { detail: heldVotesText(held) } }
  })
