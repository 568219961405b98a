/** What the features that hold posts tell moderation about one. */
import type { HiddenState } from './report.ts'

/** A post as a decision needs it. Stays on the server: it says who its author is. */
export interface LockedPost {
  /** The author, as the post's thread knows them. Null for what leads to nobody, such as a note. */
  authorKey: Uint8Array | null
  /** Whom to reach. Null for the same, and where nobody knows any more. */
  sealedAuthor: Uint8Array | null
  /** Null for the same. */
  threadId: string | null
  companyId: string | null
  hidden: HiddenState | null
  hiddenReason: string | null
  /** Of its thread. */
  isLocked: boolean
  isPinned: boolean
}

/** Of one that leads to nobody, and stands in no thread of its own. */
export const OF_NOBODY = {
  authorKey: null,
  sealedAuthor: null,
  threadId: null,
  isLocked: false,
  isPinned: false,
}

/** A post as moderators and its author may see it. */
export interface PostView {
  id: string
  thread: { id: string | null; title: string; path: string }
  href: string
  company: { id: string; name: string; path: string } | null
  author: { name: string; isVisitor: boolean } | null
  html: string
  /** To the minute; of a note its month. */
  postedAt: string
  hidden: HiddenState | null
  hiddenReason: string | null
  isLocked: boolean
  isPinned: boolean
}

/** How it is hidden; null shows it again. */
export type Hiding = { state: HiddenState; reason: string | null } | null
