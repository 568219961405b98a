/** What follows when moderators, or the automatic hold, do something to a post. */

import { isOfNobody, type ModerationEvent, type PostKind } from '#app/community/reports/report.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'

/** Whoever tells the author handles this, after the commit. */
export const POST_RULED = 'post-ruled'
export interface PostRuled {
  kind: 'thread' | 'comment'
  id: string
  event: ModerationEvent
  reason: string | null
}

/**
 * Run it in the transaction of the decision. Of what leads to nobody no author can be told: whose
 * a note is finds it at their own rating, who acts for a company among their own posts.
 */
export async function enqueueRuling(
  { jobs }: Pick<ServerContext, 'jobs'>,
  db: Database,
  { kind, ...ruling }: Omit<PostRuled, 'kind'> & { kind: PostKind },
) {
  if (isOfNobody(kind)) return
  const told: PostRuled = { kind, ...ruling }
  await jobs.enqueue(db, POST_RULED, told)
}
