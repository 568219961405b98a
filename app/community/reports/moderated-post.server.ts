/** How features hand a post to moderation, and the events of posts that it follows up. */

import type { Event } from '#app/platform/database/context.server.ts'
import type { HiddenState, PostKind, PostRef } from './report.ts'

/** A post as a decision needs it. Stays on the server, as it says who wrote it. */
export interface LockedPost {
  /** The author's key in the thread. Null where nothing leads to the author, as for a note. */
  authorKey: Uint8Array | null
  /** Null for the same, and once the author is forgotten. */
  sealedAuthor: Uint8Array | null
  threadId: string | null
  companyId: string | null
  hidden: HiddenState | null
  hiddenReason: string | null
  isLocked: boolean
  isPinned: boolean
}

/** For a post whose author is unknown, and that stands in no thread. */
export const NO_AUTHOR = {
  authorKey: null,
  sealedAuthor: null,
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
  /** To the minute. A note only has a month. */
  postedAt: string
  hidden: HiddenState | null
  hiddenReason: string | null
  isLocked: boolean
  isPinned: boolean
}

export type HideAs = { state: HiddenState; reason: string | null } | null

export const POST_REWORDED: Event<PostRef> = { name: 'post-reworded' }
/** Many visitors voted on it at once: their votes await a moderator. */
export const VOTES_HELD: Event<PostRef> = { name: 'votes-held' }
/** They're deleted, or nothing of them is left to decide about. */
export const POSTS_REMOVED: Event<{ kind: PostKind; ids: string[] }> = { name: 'posts-removed' }
