/** Comments come flat, in the order in which they are read; here branches are found among them. */

/** What a comment says about its place. */
export interface Leaf {
  id: string
  parentId: string | null
  /** 0 for an answer to the thread. */
  depth: number
  /** All that follow below it, on this page or a later one. */
  replies: number
}

/** Levels that are indented, and on phones; what is deeper has a page of its own. */
export const DEEPEST = 5
export const DEEPEST_ON_PHONES = 3

export interface Row<Comment> {
  comment: Comment
  /** As it is shown: 0 stands at the edge. */
  level: number
  isCollapsed: boolean
}

/** The comments that are shown: not what is below a collapsed one, nor what is too deep. */
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
export function withoutComment<Comment extends Leaf>(
  comments: readonly Comment[],
  id: string,
): Comment[] {
  const gone = comments.find((comment) => comment.id === id)
  if (!gone) return [...comments]
  const above = new Set(aboveOf(comments, gone.parentId).map((each) => each.id))
  return comments
    .filter((comment) => comment.id !== id)
    .map((comment) =>
      above.has(comment.id) ? { ...comment, replies: comment.replies - 1 } : comment,
    )
}
