import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertOwn, isOwn, SUSPENSIONS } from '#app/api/auth/own-rows.server.ts'
import { openAuthor } from '#app/community/discussions/posts/own-posts.server.ts'
import type { Reason, SuspensionDays } from '#app/identity/accounts/suspension.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext, ServerContext } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import { conflict, forbidden } from '#app/platform/http/refusal.ts'
import { lockOrCreateCase } from './cases.server.ts'
import { decide, type PostAsSeen } from './decision-commands.server.ts'
import { MODERATION_REFUSALS, noAuthorToSuspend } from './moderation.ts'
import { isOwnPost } from './posts.server.ts'

/**
 * Stops the author of this post from writing for this many days. Who that is and what else they wrote stays hidden,
 * because only this post shows the suspension.
 * @throws Refusal forbidden, not-found, conflict
 */
export const suspendAuthor = (
  ctx: Ctx,
  post: PostAsSeen,
  { days, reason }: { days: SuspensionDays; reason: Reason },
) =>
  decide(ctx, post, 'suspend', async (ctx, { stored }) => {
    const author = openAuthor(ctx.secrets, post.id, stored.personSealed)
    if (author === null) throw conflict(noAuthorToSuspend(post.kind))
    if (await isOwnPost(ctx, post, stored)) throw forbidden(MODERATION_REFUSALS.suspendsSelf)
    const { id: caseId } = await lockOrCreateCase(ctx, post)
    const [running] = await ctx.db.query<{ endsOn: string }>(sql`
      select ends_on as "endsOn" from suspensions
       where case_id = ${caseId} and ends_on >= ${dayOf(ctx.now())}::date`)
    if (running) throw conflict(MODERATION_REFUSALS.suspended(running.endsOn))
    const endsOn = dayOf(new Date(ctx.now().getTime() + days * DAY_MS))
    const suspension = await insertSuspension(
      ctx.db,
      author.root,
      (ownRowKey) => sql`
      insert into suspensions (case_id, own_row_key, ends_on, reason)
      values (${caseId}, ${ownRowKey}, ${endsOn}::date, ${reason})
      on conflict do nothing returning id`,
    )
    return {
      reason,
      event: 'suspended',
      before: { suspensionId: suspension.id, detail: endsOn },
    }
  })

/** If all of a person's numbers are taken, the suspension that ends first is replaced. */
async function insertSuspension(
  db: Database,
  root: Buffer,
  insert: (ownRowKey: Buffer) => Sql,
): Promise<{ id: string }> {
  const own = { root, key: null, insert }
  const added = await insertOwn<{ id: string }>(db, SUSPENSIONS, own)
  if (added && added !== 'known') return added
  await db.query(sql`
    delete from suspensions where id = (
      select id from suspensions where ${isOwn(SUSPENSIONS, root)} order by ends_on, id limit 1)`)
  return insertSuspension(db, root, insert)
}

/**
 * Ends a deleted account's suspensions. Row by row, because holding one row while waiting for another could
 * deadlock with the deletion of a thread. The account's reports stay, under keys that no one can derive
 * again.
 */
export async function forgetSuspended({ db }: Pick<ServerContext, 'db'>, root: Buffer) {
  const suspensions = await db.query<{ id: string }>(
    sql`select id from suspensions where ${isOwn(SUSPENSIONS, root)}`,
  )
  for (const { id } of suspensions) await db.query(sql`delete from suspensions where id = ${id}`)
}

/** Rows that are locked right now are deleted next time. */
export async function sweepSuspensions({ db, now }: DataContext) {
  await db.query(sql`
    delete from suspensions where id in (
      select id from suspensions where ends_on < ${dayOf(now())}::date for update skip locked)`)
}
