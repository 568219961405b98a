/** How suspensions begin and end, and what becomes of a reporter whose account goes. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import type { DataContext, ServerContext } from '../../server/context.server.ts'
import { DAY_MS, dayOf } from '../../server/days.server.ts'
import { Refusal } from '../../server/refusal.ts'
import { nobodyToSuspend } from '../reports/case-texts.ts'
import type { PostRef, Reason, SuspensionDays } from '../reports/report.ts'
import { decide } from './decision.server.ts'
import { takeCase } from './moderation-case.server.ts'

/**
 * Lets whoever wrote this post write nothing for so many days. Who that is, and what else they
 * wrote, stays hidden: whether they are suspended is known at this post alone.
 * @throws Refusal forbidden, not-found, conflict
 */
export const suspendAuthor = (
  ctx: Ctx,
  post: PostRef,
  { days, reason }: { days: SuspensionDays; reason: Reason },
) =>
  decide(ctx, post, 'suspend', async (ctx, { kept }) => {
    if (kept.authorKey === null) throw new Refusal('conflict', nobodyToSuspend(post.kind))
    if (kept.authorKey === ctx.actor.authorKey)
      throw new Refusal('forbidden', 'You cannot suspend yourself')
    const { id: caseId } = await takeCase(ctx, post)
    const [running] = await ctx.db.query<{ endsOn: string }>(sql`
      select ends_on as "endsOn" from suspensions
       where case_id = ${caseId} and ends_on >= ${dayOf(ctx.now())}::date`)
    if (running)
      throw new Refusal('conflict', `This author is suspended already, until ${running.endsOn}`)
    const endsOn = dayOf(new Date(ctx.now().getTime() + days * DAY_MS))
    const [suspension] = await ctx.db.query<{ id: string }>(sql`
      insert into suspensions (case_id, author_key, ends_on, reason)
      values (${caseId}, ${kept.authorKey}, ${endsOn}::date, ${reason}) returning id`)
    return {
      reason,
      event: 'suspended',
      before: { suspensionId: suspension?.id, detail: endsOn },
    }
  })

/**
 * Parts reports from an account that goes, each with a key that nobody has, and ends its suspensions.
 * Row by row: who holds one and waits for another could meet a thread that is being deleted.
 */
export async function forgetReporter({ db }: Pick<ServerContext, 'db'>, authorKey: string) {
  const cases = await db.query<{ id: string }>(
    sql`select case_id as id from reports where author_key = ${authorKey}`,
  )
  for (const { id } of cases)
    await db.query(sql`
      update reports set author_key = 'gone ' || gen_random_uuid()
       where case_id = ${id} and author_key = ${authorKey}`)
  const suspensions = await db.query<{ id: string }>(
    sql`select id from suspensions where author_key = ${authorKey}`,
  )
  for (const { id } of suspensions) await db.query(sql`delete from suspensions where id = ${id}`)
}

/** Forgets what has ended; what somebody holds just now goes the next time. */
export async function sweepSuspensions({ db, now }: DataContext) {
  await db.query(sql`
    delete from suspensions where id in (
      select id from suspensions where ends_on < ${dayOf(now())}::date for update skip locked)`)
}
