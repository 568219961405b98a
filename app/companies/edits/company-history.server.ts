import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'

/**
 * Records a change that applies at once. It has no author, only who decided it; no one for a job's.
 * @param changes from and to, by field
 * @returns the entry
 */
export const recordChange = (
  ctx: DataContext & { actor?: Ctx['actor'] },
  companyId: string,
  changes: object,
  reason = '',
) =>
  ctx.db.query<{ id: number }>(sql`
    insert into company_edits (company_id, changes, reason, status, made_on, decided_by, decided_name)
    values (${companyId}, ${JSON.stringify(changes)}::jsonb, ${reason}, 'applied', ${todayOf(ctx)},
            ${ctx.actor?.account?.id ?? null}, ${ctx.actor?.account?.username ?? null})
    returning id`)
