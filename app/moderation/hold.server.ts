/** A hold: a post is not shown until a moderator has looked. Nobody decided it, so no log names one. */
import sql from 'sql-template-tag'
import type { PostRef } from '#app/community/reports/report.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { openCase, takeCase } from './moderation-case.server.ts'
import { hidePost, lockPost } from './posts.server.ts'
import { enqueueRuling } from './ruling.server.ts'

export type HoldContext = Pick<ServerContext, 'db' | 'now' | 'jobs'>

/** Run it in a transaction that has locked the post. */
export async function holdPost(ctx: Pick<ServerContext, 'db' | 'jobs'>, post: PostRef) {
  await hidePost(ctx.db, post, { state: 'held', reason: null })
  await enqueueRuling(ctx, ctx.db, { ...post, event: 'held', reason: null })
}

/**
 * For a rule that moderators made: also a case that waits already is held for it, so that the post names no
 * other posts of its author. Leaves what is hidden, and what a moderator has kept. D59.
 * @param why with the entries of the watch list that stand in it
 */
export const holdByRule = (
  base: HoldContext,
  post: PostRef,
  { cause, watched = null }: { cause: 'watched' | 'first'; watched?: string | null },
) =>
  transaction(base, async (ctx) => {
    const kept = await lockPost(ctx.db, post)
    if (!kept || kept.hidden) return
    const itsCase = await takeCase(ctx, post, cause)
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, cause)
    await ctx.db.query(sql`
      update moderation_cases set cause = ${cause}, watched = ${watched} where id = ${itsCase.id}`)
    await holdPost(ctx, post)
  })
