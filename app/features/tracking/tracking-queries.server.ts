/** Reads of what was counted; for administrators. */
import sql from 'sql-template-tag'
import type { Actor } from '../../auth/actor.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { Refusal } from '../../server/refusal.ts'
import type { Interaction } from './tracking.contract.ts'
import { ACCESS_DENIED, INTERACTIONS_MAX } from './tracking.ts'

/** Spec §6. @throws Refusal forbidden, with the sentence of Spec §8 */
export function demandTracking(actor: Actor) {
  if (!may.openTracking(actor)) throw new Refusal('forbidden', ACCESS_DENIED.description)
}

/** @throws Refusal forbidden */
export async function companyViews({ db, actor }: Ctx, ids: string[]) {
  if (!may.seeViewCounts(actor))
    throw new Refusal('forbidden', 'Only an administrator can see view counts')
  return {
    views: await db.query<{ id: string; views: number }>(sql`
      select company_id as id, views from company_stats where company_id = any(${ids}::uuid[])`),
  }
}

/**
 * The newest clicks. Whose they are, whoever looks learns only of their own, on the same day: nobody
 * can make a pseudonym again when its day is over. Spec §2.13, §7.2; decision 18.
 * @throws Refusal forbidden
 */
export async function newestInteractions(
  { db, actor }: Ctx,
  pseudonymOfToday: (accountId: string) => Promise<string>,
) {
  demandTracking(actor)
  const mine = actor.account && (await pseudonymOfToday(actor.account.id))
  return {
    interactions: await db.query<Interaction>(sql`
      select id, company_id as "companyId", company_name as "companyName", created_at as at,
             left(md5(user_id), 8) as "userId", coalesce(user_id = ${mine}, false) as "isMe"
        from company_interactions order by created_at desc, id desc limit ${INTERACTIONS_MAX}`),
  }
}
