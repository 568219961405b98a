/** Events of posts that moderation follows up. */
import type { Event } from '#app/platform/database/context.server.ts'
import type { PostKind, PostRef } from './report.ts'

export const POST_REWORDED: Event<PostRef> = { name: 'post-reworded' }
/** Many visitors voted on it at once: their votes await a moderator. */
export const VOTES_HELD: Event<PostRef> = { name: 'votes-held' }
/** They're deleted, or nothing of them is left to decide about. */
export const POSTS_REMOVED: Event<{ kind: PostKind; ids: string[] }> = { name: 'posts-removed' }
