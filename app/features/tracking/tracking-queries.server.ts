/** Reads of what was counted; for administrators. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { Refusal } from '../../server/refusal.ts'

/** @throws Refusal forbidden */
export async function companyViews({ db, actor }: Ctx, ids: string[]) {
  if (!may.seeViewCounts(actor))
    throw new Refusal('forbidden', 'Only an administrator can see view counts')
  return {
    views: await db.query<{ id: string; views: number }>(sql`
      select company_id as id, views from company_stats where company_id = any(${ids}::uuid[])`),
  }
}
