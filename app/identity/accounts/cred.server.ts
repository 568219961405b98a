/**
 * Cred as it is shown: of the last night, and rounded. The very number beside an account would name posts
 * by their scores. D41.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'

const STEP = 5

/** Of this table alone. */
export const credKey = (root: Buffer) => contextKey(root, 'cred', '')

export async function credOf(ctx: Ctx): Promise<number> {
  const root = rootOf(ctx)
  if (!root) return 0
  const [row] = await ctx.db.query<{ cred: number }>(
    sql`select cred from member_cred where key = ${credKey(root)}`,
    PREPARED,
  )
  // Adding zero makes a plain one of what was rounded up to it.
  return Math.round((row?.cred ?? 0) / STEP) * STEP + 0
}
