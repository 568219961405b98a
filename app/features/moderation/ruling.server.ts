/** What follows when moderators, or the automatic hold, do something to a post. */

import type { ServerContext } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import type { ModerationEvent } from '../notifications/notification.ts'
import type { PostKind } from './moderation.ts'

/** Whoever tells the author handles this, after the commit. */
export const POST_RULED = 'post-ruled'
export interface PostRuled {
  kind: PostKind
  id: string
  event: ModerationEvent
  reason: string | null
}

/** Run it in the transaction of the decision. */
export const tellOfRuling = (
  { jobs }: Pick<ServerContext, 'jobs'>,
  db: Database,
  ruling: PostRuled,
) => jobs.enqueue(db, POST_RULED, ruling)
