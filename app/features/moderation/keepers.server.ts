/**
 * What moderation asks of the features that keep posts. Each kind of post has a keeper, which knows
 * its tables and counters and asks nobody's permission: moderation did. The composition root hands
 * them over, so that no feature reaches into another.
 */
import type { Ctx } from '../../auth/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import type { HiddenState, PostKind } from '../reports/report.ts'

/** A post as a decision needs it. Stays on the server: it names the author's key. */
export interface KeptPost {
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
export interface PostSight {
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

interface Keeper {
  /** The post, for nobody else to change until the caller's transaction ends; undefined when gone. */
  lock(db: Database, id: string): Promise<KeptPost | undefined>
  /** Those that are still there, in any order. */
  seen(db: Database, ids: string[]): Promise<PostSight[]>
  /** Hides, or shows again with null; counters follow. Run it in a transaction. */
  hide(
    db: Database,
    id: string,
    as: { state: HiddenState; reason: string | null } | null,
  ): Promise<void>
}

export interface PostKeeper extends Keeper {
  /** Of this author: what is not shown at present. */
  hiddenOf(db: Database, authorKey: string): Promise<PostSight[]>
}

/** No key says whose a note is: only with the account of whoever asks can their own be found. */
export interface NoteKeeper extends Keeper {
  /** Those of these notes that the asking person wrote. */
  ownAmong(ctx: Ctx, ids: string[]): Promise<string[]>
  /** Of the asking person: what is not shown at present. */
  hiddenOf(ctx: Ctx): Promise<PostSight[]>
}

export interface ThreadKeeper extends PostKeeper {
  setLocked(db: Database, id: string, isLocked: boolean): Promise<void>
  setPinned(db: Database, id: string, isPinned: boolean): Promise<void>
  /** @throws Refusal bad-request for a company that does not exist; counters follow */
  move(db: Database, id: string, companyId: string | null): Promise<void>
}

export interface Keepers extends Record<PostKind, Keeper> {
  thread: ThreadKeeper
  comment: PostKeeper
  note: NoteKeeper
}

/** A context of somebody who asks about posts: the keepers come with it. */
export interface ModerationCtx extends Ctx {
  keepers: Keepers
}
