/** Decisions about votes of visitors that came many at once, and wait on a post. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  countHeldVotes,
  dropHeldVotes,
  heldVotes,
} from '#app/community/discussions/votes/held-votes.server.ts'
import { heldVotesText } from '#app/community/reports/case-texts.ts'
import type { LockedPost } from '#app/community/reports/moderated-post.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { decide } from './decision.server.ts'
import { openCase, takeCase } from './moderation-case.server.ts'

/** Puts a post before the moderators on which votes wait. Run it where the post is locked. */
export async function fileVotes(ctx: DataContext, post: PostRef) {
  await openCase(ctx, await takeCase(ctx, post, 'votes'), 'votes')
}

/** They count from now on, as visitors' votes do. @throws Refusal conflict; so below */
export const countVotes = (ctx: Ctx, post: PostRef) =>
  decideVotes(ctx, post, 'count-votes', (db, { threadId }) =>
    countHeldVotes(db, post, threadId as string),
  )

/** They are as never cast. */
export const dropVotes = (ctx: Ctx, post: PostRef) =>
  decideVotes(ctx, post, 'drop-votes', (db) => dropHeldVotes(db, post))

const decideVotes = (
  ctx: Ctx,
  post: PostRef,
  action: 'count-votes' | 'drop-votes',
  settle: (db: Database, kept: LockedPost) => Promise<unknown>,
) =>
  decide(ctx, post, action, async (ctx, { kept }) => {
    const held = (await heldVotes(ctx.db, [post.id])).get(post.id)
    if (!held) throw new Refusal('conflict', 'No votes on this post wait for a decision')
    const itsCase = await takeCase(ctx, post)
    await settle(ctx.db, kept)
    // Reports, or a hold, wait on.
    if (!itsCase.hasReports && kept.hidden !== 'held')
      await ctx.db.query(sql`update moderation_cases set is_open = false where id = ${itsCase.id}`)
    return { before: { detail: heldVotesText(held) } }
  })
