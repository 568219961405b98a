/** Branches of comments, which come as a flat list in reading order: found, and with one comment more or fewer. */

interface Leaf {
  id: string
  parentId: string | null
  /** 0 at the top. */
  depth: number
  /** Visible ones below it, on this page or a later one. */
  replies: number
}

/** Indented levels. Deeper comments have a page of their own. */
export const DEEPEST = 5
export const DEEPEST_ON_PHONES = 3

export interface Row<Comment> {
  comment: Comment
  level: number
  isCollapsed: boolean
}

/** Neither below a collapsed comment nor too deep. */
export function visibleRows<Comment extends Leaf>(
  comments: readonly Comment[],
  collapsed: ReadonlySet<string>,
): Row<Comment>[] {
  const edge = comments[0]?.depth ?? 0
  const rows: Row<Comment>[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const comment of comments) {
    const level = Math.max(comment.depth - edge, 0)
    if (level > hiddenBelow) continue
    const isCollapsed = collapsed.has(comment.id)
    hiddenBelow = isCollapsed ? level : Number.POSITIVE_INFINITY
    if (level <= DEEPEST) rows.push({ comment, level, isCollapsed })
  }
  return rows
}

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
