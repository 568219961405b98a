/**
 * Cred as shown: last night's, rounded. The exact number next to an account could reveal posts by their scores. D41.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'

const STEP = 5

export const credKey = (root: Buffer) => contextKey(root, 'cred', '')

export async function credOf(ctx: Ctx): Promise<number> {
  const root = rootOf(ctx)
  if (!root) return 0
  const [row] = await ctx.db.query<{ cred: number }>(
    sql`select cred from member_cred where key = ${credKey(root)}`,
    PREPARED,
  )
  // Turns -0 into 0.
  return Math.round((row?.cred ?? 0) / STEP) * STEP + 0
}
