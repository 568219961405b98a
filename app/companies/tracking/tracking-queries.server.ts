import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Interaction } from './tracking.contract.ts'
import { INTERACTIONS_MAX } from './tracking.ts'

export async function companyViews({ db }: Ctx, ids: string[]) {
  return {
    views: await db.query<{ id: string; views: number }>(sql`
      select company_id as id, views from company_stats where company_id = any(${ids}::uuid[])`),
  }
}

/**
 * Clicks name no one: the asker recognizes only their own, on the same day, as no one can make a pseudonym after its day.
 * Spec §2.13, §7.2; S18.
 */
export async function newestInteractions(
  { db, actor }: Ctx,
  pseudonymOfToday: (accountId: string) => Promise<string>,
) {
  const mine = actor.account && (await pseudonymOfToday(actor.account.id))
  return {
    interactions: await db.query<Interaction>(sql`
      select id, company_id as "companyId", company_name as "companyName", created_at as at,
             left(md5(user_id), 8) as "userId", coalesce(user_id = ${mine}, false) as "isMe"
        from company_interactions order by created_at desc, id desc limit ${INTERACTIONS_MAX}`),
  }
}
