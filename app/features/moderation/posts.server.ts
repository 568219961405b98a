/** Posts of each kind, by the commands of their features: those ask nobody's permission, moderation did. */
import type { Database } from '../../server/database.server.ts'
import { moderatedComments, moderatedThreads } from '../discussions/posts/moderated-posts.server.ts'
import { moderatedNotes } from '../ratings/moderated-notes.server.ts'
import type { Hiding, LockedPost, PostView } from '../reports/moderated-post.server.ts'
import type { PostKind, PostRef } from '../reports/report.ts'

interface ModeratedPosts {
  lock(db: Database, id: string): Promise<LockedPost | undefined>
  views(db: Database, ids: string[]): Promise<PostView[]>
  hide(db: Database, id: string, as: Hiding): Promise<void>
}

const posts: Record<PostKind, ModeratedPosts> = {
  thread: moderatedThreads,
  comment: moderatedComments,
  note: moderatedNotes,
}

/** The post, for nobody else to change until the caller's transaction ends; undefined when it is deleted. */
export const lockPost = (db: Database, { kind, id }: PostRef) => posts[kind].lock(db, id)

/** Those that are still there, in any order. */
export const viewPosts = (db: Database, kind: PostKind, ids: string[]) => posts[kind].views(db, ids)

/** Hides, or shows again with null; counters follow. Run it in a transaction. */
export const hidePost = (db: Database, { kind, id }: PostRef, as: Hiding) =>
  posts[kind].hide(db, id, as)
