/** Finds branches in comments, which come as a flat list in reading order. */

export interface Leaf {
  id: string
  parentId: string | null
  /** 0 at the top. */
  depth: number
  /** Visible replies below it, on this page or a later one. */
  replies: number
}

/** How many levels we indent. Deeper comments have a page of their own. */
export const DEEPEST = 5
export const DEEPEST_ON_PHONES = 3

export interface Row<Comment> {
  comment: Comment
  level: number
  isCollapsed: boolean
}

/** The comments that aren't below a collapsed one or too deep. */
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
