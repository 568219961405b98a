/** Comments of a thread, flat as they come, after one more or one less. */
import type { Leaf } from './comment-branches.ts'

/** Those above a comment, the nearest first, as far as they are here. */
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

/** With a new comment in its place: right below what it answers, or before all others. */
export function withComment<Comment extends Leaf>(
  comments: readonly Comment[],
  fresh: Comment,
): Comment[] {
  if (comments.some(({ id }) => id === fresh.id)) return [...comments]
  const above = new Set(aboveOf(comments, fresh.parentId).map(({ id }) => id))
  // What it answers is not on this page: it has no place on it.
  if (fresh.parentId !== null && above.size === 0) return [...comments]
  const counted = comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies + 1 } : comment,
  )
  const at = counted.findIndex(({ id }) => id === fresh.parentId) + 1
  return counted.toSpliced(at, 0, fresh)
}

/** Without a comment that nobody had answered. */
export const withoutComment = <Comment extends Leaf>(comments: readonly Comment[], id: string) =>
  uncounted(comments, id).filter((comment) => comment.id !== id)

/** With what is left of a comment that was answered in its place. */
export const withStub = <Comment extends Leaf>(
  comments: readonly Comment[],
  id: string,
  stubOf: (comment: Comment) => Comment,
) => uncounted(comments, id).map((comment) => (comment.id === id ? stubOf(comment) : comment))

/** Those above it count it no more. */
function uncounted<Comment extends Leaf>(comments: readonly Comment[], id: string): Comment[] {
  const gone = comments.find((comment) => comment.id === id)
  if (!gone) return [...comments]
  const above = new Set(aboveOf(comments, gone.parentId).map((each) => each.id))
  return comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies - 1 } : comment,
  )
}
