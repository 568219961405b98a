/** What the features that hold posts say of them, for moderation to follow up. */
import type { Event } from '#app/platform/database/events.server.ts'
import type { PostKind, PostRef } from './report.ts'

/** Its words are others. */
export const POST_REWORDED: Event<PostRef> = { name: 'post-reworded' }
/** Votes on it wait for a moderator: many of visitors came at once. */
export const VOTES_HELD: Event<PostRef> = { name: 'votes-held' }
/** They are gone, or nothing is left of them to decide about. */
export const POSTS_REMOVED: Event<{ kind: PostKind; ids: string[] }> = { name: 'posts-removed' }
