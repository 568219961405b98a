/** What the features that hold posts say of them, for moderation to follow up. */
import type { Event } from '../../server/events.server.ts'
import type { PostKind, PostRef } from './report.ts'

/** Its words are others. */
export const POST_REWORDED: Event<PostRef> = { name: 'post-reworded' }
/** They are gone, or nothing is left of them to decide about. */
export const POSTS_REMOVED: Event<{ kind: PostKind; ids: string[] }> = { name: 'posts-removed' }
