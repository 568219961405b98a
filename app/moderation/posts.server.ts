/** Posts of each kind, by the commands of their features: those ask nobody's permission, moderation did. */

import { postRemovals, publishThreadChange } from '#app/community/discussions/live/live.server.ts'
import {
  moderatedComments,
  moderatedThreads,
} from '#app/community/discussions/posts/moderated-posts.server.ts'
import { moderatedReplies } from '#app/community/replies/moderated-replies.server.ts'
import type { Hiding, LockedPost, PostView } from '#app/community/reports/moderated-post.server.ts'
import type { PostKind, PostRef } from '#app/community/reports/report.ts'
import { moderatedRoomPosts } from '#app/community/rooms/moderated-room-posts.server.ts'
import { moderatedJobs } from '#app/jobs/postings/moderated-jobs.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'
import { publishNoteRemoval, publishRatings } from '#app/ratings/rating-events.server.ts'

interface ModeratedPosts {
  lock(db: Database, id: string): Promise<LockedPost | undefined>
  views(db: Database, ids: string[]): Promise<PostView[]>
  hide(db: Database, id: string, as: Hiding): Promise<void>
}

const posts: Record<PostKind, ModeratedPosts> = {
  thread: moderatedThreads,
  comment: moderatedComments,
  note: moderatedNotes,
  job: moderatedJobs,
  room: moderatedRoomPosts,
  reply: { ...moderatedReplies, hide: hideReply },
}

/** Its page is that of the thread, or of the company whose rating it answers. */
async function hideReply(db: Database, id: string, as: Hiding) {
  const reply = await moderatedReplies.hide(db, id, as)
  if (!reply) return
  const { threadId, companyId } = reply
  if (threadId !== null) {
    if (as) await postRemovals.publish(db, [threadId])
    return publishThreadChange(db, threadId)
  }
  if (as) await publishNoteRemoval(db, companyId)
  publishRatings(db, companyId)
}

/** The post, for nobody else to change until the caller's transaction ends; undefined when it is deleted. */
export const lockPost = (db: Database, { kind, id }: PostRef) => posts[kind].lock(db, id)

/** Those that are still there, in any order. */
export const viewPosts = (db: Database, kind: PostKind, ids: string[]) => posts[kind].views(db, ids)

/** Hides, or shows again with null; counters follow. Run it in a transaction. */
export const hidePost = (db: Database, { kind, id }: PostRef, as: Hiding) =>
  posts[kind].hide(db, id, as)
