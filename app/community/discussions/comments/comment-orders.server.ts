/**
 * The orders of long threads, cached in the process. Each page asks the database for the version of the thread's comments, and
 * for their shape if the cached order has another version; so no process or standby serves an outdated order. D51.
 */
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { CommentSort } from '../discussion.ts'
import { type Hiding, hidingOfThread, requireShown } from '../posts/hidden-posts.server.ts'
import { type Branch, inReadingOrder, type TreePosition } from './comment-tree.ts'

/** Comments in all cached orders: about seven megabytes. */
const KEPT_MAX = 60_000
/** A shorter thread's shape is read as fast as its version. */
const KEPT_MIN = 100

export interface CommentOrders {
  /** @throws Refusal not-found, gone for a hidden thread */
  of(db: Database, threadId: string, sort: CommentSort): Promise<readonly TreePosition[]>
}

interface KeptOrder {
  version: string
  positions: readonly TreePosition[]
}

type RawBranch = [
  id: string,
  parentId: string | null,
  score: number,
  place: number,
  isShown: boolean,
]

export function createCommentOrders(): CommentOrders {
  const kept = new LRUCache<string, KeptOrder>({
    maxSize: KEPT_MAX,
    sizeCalculation: ({ positions }) => positions.length,
  })
  return {
    async of(db, threadId, sort) {
      const key = `${threadId} ${sort}`
      const known = kept.get(key)
      const { version, shape } = await readShape(db, threadId, known?.version)
      if (known && shape === undefined) return known.positions
      const positions = inReadingOrder((shape ?? []).map(branchOf), sort)
      if (positions.length > KEPT_MIN) kept.set(key, { version, positions })
      else kept.delete(key)
      return positions
    },
  }
}

/**
 * One statement, so one moment. The version is made of each row's transaction and location, which change with the row, so
 * nothing has to be written for it.
 * @returns no shape where its version is the known one
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
  const { version, shape } = requireShown(row)
  return { version, shape: shape ?? (version === known ? undefined : []) }
}

const branchOf = ([id, parentId, score, place, isShown]: RawBranch): Branch => ({
  id,
  parentId,
  score,
  place,
  isShown,
})
