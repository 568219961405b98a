/** Comments come flat, in the order in which they are read; here branches are found among them. */

/** What a comment says about its place. */
export interface Leaf {
  id: string
  parentId: string | null
  /** 0 for an answer to the thread. */
  depth: number
  /** Those below it that are shown, on this page or a later one. */
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
