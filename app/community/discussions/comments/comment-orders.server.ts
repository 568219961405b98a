/**
 * The reading orders of long threads, cached in the process. For each page, we ask the database for the version of the
 * thread's comments, and for their shape if the cached order has another version. So no process or standby serves an
 * outdated order. D51.
 */
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { CommentSort } from '../discussion.ts'
import { type Hiding, hidingOfThread, requireVisible } from '../posts/post-rules.server.ts'

/** Comments in all cached orders: about seven megabytes. */
const KEPT_MAX = 60_000
/** We don't cache shorter threads, because reading their shape is as fast as reading their version. */
const CACHED_MIN = 100

export interface CommentOrders {
  /** @throws Refusal not-found, gone for a hidden thread */
  of(db: Database, threadId: string, sort: CommentSort): Promise<readonly TreePosition[]>
}

interface CachedOrder {
  version: string
  positions: readonly TreePosition[]
}

type RawBranch = [
  id: string,
  parentId: string | null,
  score: number,
  position: number,
  isShown: boolean,
]

export function createCommentOrders(): CommentOrders {
  const cache = new LRUCache<string, CachedOrder>({
    maxSize: KEPT_MAX,
    sizeCalculation: ({ positions }) => positions.length,
  })
  return {
    async of(db, threadId, sort) {
      const key = `${threadId} ${sort}`
      const known = cache.get(key)
      const { version, shape } = await readShape(db, threadId, known?.version)
      if (known && shape === undefined) return known.positions
      const positions = inReadingOrder((shape ?? []).map(branchOf), sort)
      if (positions.length > CACHED_MIN) cache.set(key, { version, positions })
      else cache.delete(key)
      return positions
    },
  }
}

/**
 * One statement, so it sees one moment. The version combines each row's transaction and location, which change with the
 * row, so we don't have to write it. @returns no shape if the version is the known one
 */
async function readShape(db: Database, threadId: string, known: string | undefined) {
  const [row] = await db.query<Hiding & { version: string; shape: RawBranch[] | null }>(
    sql`
    select ${hidingOfThread}, seen.version,
           case when seen.version is distinct from ${known ?? null}::text then (
             select json_agg(json_build_array(
                      id, parent_id, case when comments.hidden is null then score else 0 end, place,
                      not is_deleted and comments.hidden is null))
               from comments where thread_id = thread.id) end as shape
      from threads thread
     cross join lateral (
       select concat(count(*), ' ', sum(hashtidextended(ctid, xmin::text::bigint))) as version
         from comments where thread_id = thread.id) seen
     where thread.id = ${threadId}`,
    PREPARED,
  )
  const { version, shape } = requireVisible(row)
  return { version, shape: shape ?? (version === known ? undefined : []) }
}

const branchOf = ([id, parentId, score, position, isShown]: RawBranch): Branch => ({
  id,
  parentId,
  score,
  position,
  isShown,
})

interface Branch {
  id: string
  parentId: string | null
  score: number
  position: number
  isShown: boolean
}

interface TreePosition {
  id: string
  /** 0 at the top. */
  depth: number
  /** Visible replies below it, as the thread counts them. */
  replies: number
}

const ORDERS: Record<CommentSort, (a: Branch, b: Branch) => number> = {
  best: (a, b) => b.score - a.score || a.position - b.position,
  new: (a, b) => b.position - a.position,
  old: (a, b) => a.position - b.position,
}

/** Puts each comment right before its replies, and sorts siblings by `sort`. */
function inReadingOrder(shape: readonly Branch[], sort: CommentSort): TreePosition[] {
  const answersTo = new Map<string | null, Branch[]>()
  for (const branch of shape) {
    const answers = answersTo.get(branch.parentId)
    if (answers) answers.push(branch)
    else answersTo.set(branch.parentId, [branch])
  }
  for (const answers of answersTo.values()) answers.sort(ORDERS[sort])

  const ordered: TreePosition[] = []
  // An explicit stack, because a thread may be deeper than calls can nest.
  const stack = (answersTo.get(null) ?? []).toReversed().map((branch) => ({ branch, depth: 0 }))
  // The path from the top to here. We count each comment when the loop leaves it.
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

/** A comment and its replies. Depths stay those of the whole thread. @returns undefined if there's no such comment */
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
