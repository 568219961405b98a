/** Appeals: an author asks for another look at a removal, and another moderator decides. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAuthorKey } from '#app/api/auth/require.server.ts'
import { noteToAuthorProblem } from '#app/community/reports/note-to-author.ts'
import type { LockedPost } from '#app/community/reports/post-moderation.server.ts'
import { appealProblem, type PostRef } from '#app/community/reports/report.ts'
import { isRoomPostOfKey } from '#app/community/rooms/room-commands.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, forbidden, notFound, requireValid } from '#app/platform/http/refusal.ts'
import { isRatingOfKeys } from '#app/ratings/rating-tag.server.ts'
import { mayDecideAppeal } from './appeal-queries.server.ts'
import { closeCase, lockOrCreateCase, nextOf } from './cases.server.ts'
import { caseBefore, decide } from './decision-commands.server.ts'
import { MODERATION_REFUSALS } from './moderation.ts'
import { currentRemoval } from './moderation-log.server.ts'
import { filledNoteToAuthor, hidePost, isOwnPost, lockPost } from './posts.server.ts'
import { type CountedRemoval, countRemoval } from './removal-counts.server.ts'

/**
 * Suspended authors may appeal, too. Each post can only be appealed once, because a second text would replace the
 * first. For everyone but its author, the post doesn't exist.
 * @throws Refusal sign-in-required, not-found, conflict, bad-request
 */
export async function appealRemoval(ctx: Ctx, post: PostRef, words: string) {
  requireAuthorKey(ctx)
  return appeal(ctx, post, words, (ctx, stored) => isOwnPost(ctx, post, stored))
}

/** Appeals for the note that one of these keys finds. @throws Refusal not-found, conflict, bad-request */
export const appealNoteByKey = (ctx: Ctx, id: string, { keys, text }: AppealByKey) =>
  appeal(ctx, { kind: 'note', id }, text, (ctx) => isRatingOfKeys(ctx, id, keys))

/** Appeals for the room post that this key holds. @throws Refusal not-found, conflict, bad-request */
export const appealRoomPost = (
  ctx: Ctx,
  id: string,
  { key, text }: { key: string; text: string },
) => appeal(ctx, { kind: 'room', id }, text, (ctx) => isRoomPostOfKey(ctx, id, key))

interface AppealByKey {
  keys: string[]
  text: string
}

async function appeal(
  ctx: Ctx,
  post: PostRef,
  words: string,
  isOwn: (ctx: Ctx, stored: LockedPost) => Promise<boolean>,
) {
  const text = tidyText(words)
  requireValid(appealProblem(text))
  return transaction(ctx, async (ctx) => {
    const stored = await lockPost(ctx.db, post)
    if (!stored || !(await isOwn(ctx, stored))) throw notFound(MODERATION_REFUSALS.noSuchPost)
    if (stored.hidden !== 'removed') throw conflict(MODERATION_REFUSALS.notRemoved)
    const itsCase = await lockOrCreateCase(ctx, post)
    if (itsCase.appeal !== null) throw conflict(MODERATION_REFUSALS.appealed)
    await ctx.db.query(sql`
      update moderation_cases
         set appeal = ${text}, appeal_status = 'open', opened_on = ${dayOf(ctx.now())}::date,
             opened_number = ${nextOf(sql`appeal_status = 'open'`, dayOf(ctx.now()))}
       where id = ${itsCase.id}`)
    return { appeal: 'open' as const }
  })
}

/** Shows the post again. From then on, reports alone don't hide it. @throws Refusal forbidden, conflict */
export const acceptAppeal = (ctx: Ctx, post: PostRef) =>
  decide(ctx, post, 'accept-appeal', async (ctx, { stored }) => {
    const itsCase = await takeAppeal(ctx, post, stored)
    await hidePost(ctx.db, post, null)
    await closeCase(ctx.db, itsCase, sql`is_cleared = true, appeal_status = 'accepted'`)
    const [removal] = await ctx.db.query<{ before: { counted?: CountedRemoval } }>(
      currentRemoval(post),
    )
    const counted = removal?.before.counted
    if (counted) await countRemoval(ctx.db, counted, -1)
    return { before: { visibility: caseBefore(stored, itsCase), counted }, event: 'restored' }
  })

/** Keeps the post removed. @throws Refusal bad-request, forbidden, conflict */
export async function declineAppeal(ctx: Ctx, post: PostRef, words: string) {
  requireValid(noteToAuthorProblem(words))
  return decide(ctx, post, 'decline-appeal', async (ctx, { stored }) => {
    const itsCase = await takeAppeal(ctx, post, stored)
    const reason = stored.hiddenReason as Reason | null
    const note = await filledNoteToAuthor(ctx.db, post, { reason, note: words })
    await closeCase(
      ctx.db,
      itsCase,
      sql`appeal_status = 'declined', note = ${note || itsCase.note}`,
    )
    return {
      reason,
      note,
      before: { visibility: caseBefore(stored, itsCase) },
      event: 'appeal-declined',
    }
  })
}

async function takeAppeal(ctx: Ctx, post: PostRef, stored: LockedPost) {
  const itsCase = await lockOrCreateCase(ctx, post)
  if (stored.hidden !== 'removed' || itsCase.appealStatus !== 'open')
    throw conflict(MODERATION_REFUSALS.noAppeal)
  if (!(await mayDecideAppeal(ctx, itsCase.id))) throw forbidden(MODERATION_REFUSALS.ownDecision)
  return itsCase
}
