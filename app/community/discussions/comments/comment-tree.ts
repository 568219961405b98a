/** The order in which a thread's comments are read. */
import type { CommentSort } from '../discussion.ts'

export interface Branch {
  id: string
  parentId: string | null
  score: number
  place: number
  isShown: boolean
}

export interface TreePosition {
  id: string
  /** 0 at the top. */
  depth: number
  /** Visible ones below it, as the thread counts them. */
  replies: number
}

const BY: Record<CommentSort, (a: Branch, b: Branch) => number> = {
  best: (a, b) => b.score - a.score || a.place - b.place,
  new: (a, b) => b.place - a.place,
  old: (a, b) => a.place - b.place,
}

/** Every comment right before its replies; siblings by `sort`. */
export function inReadingOrder(shape: readonly Branch[], sort: CommentSort): TreePosition[] {
  const answersTo = new Map<string | null, Branch[]>()
  for (const branch of shape) {
    const answers = answersTo.get(branch.parentId)
    if (answers) answers.push(branch)
    else answersTo.set(branch.parentId, [branch])
  }
  for (const answers of answersTo.values()) answers.sort(BY[sort])

  const ordered: TreePosition[] = []
  // An explicit stack: a thread may be deeper than calls can nest.
  const stack = (answersTo.get(null) ?? []).toReversed().map((branch) => ({ branch, depth: 0 }))
  // The path from the top to here: each comment is counted when the loop leaves it.
  const open: { placed: TreePosition; isShown: boolean }[] = []
  const leaveTo = (depth: number) => {
    for (let last = open.at(-1); last && last.placed.depth >= depth; last = open.at(-1)) {
      open.pop()
      const above = open.at(-1)?.placed
      if (above) above.replies += last.placed.replies + (last.isShown ? 1 : 0)
    }
  }
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { branch, depth } = next
    leaveTo(depth)
    const placed = { id: branch.id, depth, replies: 0 }
    ordered.push(placed)
    open.push({ placed, isShown: branch.isShown })
    const answers = answersTo.get(branch.id) ?? []
    for (const answer of answers.toReversed()) stack.push({ branch: answer, depth: depth + 1 })
  }
  leaveTo(0)
  return ordered
}

/** A comment and its replies; depths stay those of the whole thread. @returns undefined where there is no such comment */
export function branchIn(
  ordered: readonly TreePosition[],
  id: string,
): readonly TreePosition[] | undefined {
  const from = ordered.findIndex((position) => position.id === id)
  const top = ordered[from]
  if (!top) return undefined
  const end = ordered.findIndex(({ depth }, at) => at > from && depth <= top.depth)
  return ordered.slice(from, end === -1 ? undefined : end)
}
