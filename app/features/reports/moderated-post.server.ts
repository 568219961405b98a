/** What the features that hold posts tell moderation about one. */
import type { HiddenState } from './report.ts'

/** A post as a decision needs it. Stays on the server: it names the author's key. */
export interface LockedPost {
  /** Null for a note, which leads to nobody. */
  authorKey: string | null
  /** Null for a note; so below. */
  threadId: string | null
  companyId: string | null
  hidden: HiddenState | null
  hiddenReason: string | null
  /** Of its thread. */
  isLocked: boolean
  isPinned: boolean
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
