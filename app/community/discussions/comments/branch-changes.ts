/** A thread's flat list of comments, with one more or one fewer. */
import type { Leaf } from './comment-branches.ts'

/** Those above a comment, nearest first, as far as they are loaded. */
export function aboveOf<Comment extends Leaf>(
  comments: readonly Comment[],
  parentId: string | null,
): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]))
  const above: Comment[] = []
  for (let at = parentId; at !== null; ) {
    const parent = byId.get(at)
    if (!parent) break
    above.push(parent)
    at = parent.parentId
  }
  return above
}

/** Right below its parent, or first. */
export function withComment<Comment extends Leaf>(
  comments: readonly Comment[],
  fresh: Comment,
): Comment[] {
  if (comments.some(({ id }) => id === fresh.id)) return [...comments]
  const above = new Set(aboveOf(comments, fresh.parentId).map(({ id }) => id))
  // Its parent isn't on this page.
  if (fresh.parentId !== null && above.size === 0) return [...comments]
  const counted = comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies + 1 } : comment,
  )
  const at = counted.findIndex(({ id }) => id === fresh.parentId) + 1
  return counted.toSpliced(at, 0, fresh)
}

/** Without a comment that has no replies. */
export const withoutComment = <Comment extends Leaf>(comments: readonly Comment[], id: string) =>
  uncounted(comments, id).filter((comment) => comment.id !== id)

/** A deleted comment with replies leaves a stub. */
export const withStub = <Comment extends Leaf>(
  comments: readonly Comment[],
  id: string,
  stubOf: (comment: Comment) => Comment,
) => uncounted(comments, id).map((comment) => (comment.id === id ? stubOf(comment) : comment))

function uncounted<Comment extends Leaf>(comments: readonly Comment[], id: string): Comment[] {
  const gone = comments.find((comment) => comment.id === id)
  if (!gone) return [...comments]
  const above = new Set(aboveOf(comments, gone.parentId).map((each) => each.id))
  return comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies - 1 } : comment,
  )
}
