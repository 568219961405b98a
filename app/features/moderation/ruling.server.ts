/** What follows when moderators, or the automatic hold, do something to a post. */

import type { ServerContext } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import type { ModerationEvent, PostKind } from '../reports/report.ts'

/** Whoever tells the author handles this, after the commit. */
export const POST_RULED = 'post-ruled'
export interface PostRuled {
  kind: Exclude<PostKind, 'note'>
  id: string
  event: ModerationEvent
  reason: string | null
}

/**
 * Run it in the transaction of the decision. Of a note nobody can be told, as it leads to nobody: its
 * author finds it at their own rating.
 */
export async function enqueueRuling(
  { jobs }: Pick<ServerContext, 'jobs'>,
  db: Database,
  { kind, ...ruling }: Omit<PostRuled, 'kind'> & { kind: PostKind },
) {
  if (kind === 'note') return
  const told: PostRuled = { kind, ...ruling }
  await jobs.enqueue(db, POST_RULED, told)
}
