/** How features hand a post to moderation, and the events of posts that it follows up. */

import type { Event } from '#app/platform/database/server-context.server.ts'
import type { HiddenState, PostKind, PostRef } from './report.ts'

/** A post as a decision needs it. Stays on the server, because it says who wrote the post. */
export interface LockedPost {
  /** The author's key in the thread. Null if nothing leads to the author, as for a note. */
  authorKey: Uint8Array | null
  /** Null if nothing leads to the author, or the author's account is deleted. */
  personSealed: Uint8Array | null
  threadId: string | null
  companyId: string | null
  hidden: HiddenState | null
  hiddenReason: string | null
  isLocked: boolean
  isPinned: boolean
}

/** The fields of a post without a known author or a thread. */
export const NO_AUTHOR = {
  authorKey: null,
  personSealed: null,
  threadId: null,
  isLocked: false,
  isPinned: false,
}

export interface PostView {
  id: string
  thread: { id: string | null; title: string; path: string }
  href: string
  company: { id: string; name: string; path: string } | null
  author: { name: string; isVisitor: boolean } | null
  html: string
  /** The minute of the post. A note only has a month. */
  postedAt: string
  hidden: HiddenState | null
  hiddenReason: string | null
  isLocked: boolean
  isPinned: boolean
}

export type HideAs = { state: HiddenState; reason: string | null } | null

export const POST_REWORDED: Event<PostRef> = { name: 'post-reworded' }
/** Many visitors voted on this post at once, and their votes are waiting for a moderator. */
export const VOTES_HELD: Event<PostRef> = { name: 'votes-held' }
/** These posts are deleted, or there's nothing left in them to decide about. */
export const POSTS_REMOVED: Event<{ kind: PostKind; ids: string[] }> = { name: 'posts-removed' }
