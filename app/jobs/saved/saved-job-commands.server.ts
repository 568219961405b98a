import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertOwn, isOwn, removeOwn } from '#app/api/auth/own-rows.server.ts'
import { requireOwner } from '#app/api/auth/require.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { SAVED_FULL } from '../alerts/job-alert.ts'
import { ALERTS } from '../alerts/job-alert-queries.server.ts'
import { JOB_NOT_FOUND } from '../job.ts'
import { SAVED, savedKey } from './saved-job-queries.server.ts'

/** Idempotent. @throws Refusal sign-in-required, not-found, also for a draft, conflict */
export const saveJob = (ctx: Ctx, jobId: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { root } = requireOwner(ctx)
    const [job] = await db.query<{ id: string }>(
      sql`select id from job_postings where id = ${jobId} and status <> 'draft' and hidden is null for key share`,
    )
    if (!job) throw notFound(JOB_NOT_FOUND)
    const key = savedKey(root, job.id)
    const saved = await insertOwn(db, SAVED, {
      root,
      key,
      insert: (mine) => sql`
        insert into saved_jobs (key, mine, job_id) values (${key}, ${mine}, ${job.id})
        on conflict do nothing returning job_id`,
    })
    if (!saved) throw new Refusal('conflict', SAVED_FULL)
    return { isSaved: true }
  })

/** Idempotent. @throws Refusal sign-in-required */
export async function forgetJob(ctx: Ctx, jobId: string) {
  const { root } = requireOwner(ctx)
  await ctx.db.query(sql`delete from saved_jobs where job_id = ${jobId} and ${isOwn(SAVED, root)}`)
  return { isSaved: false }
}

/** For an account's deletion. */
export async function forgetJobSeeker({ db }: Pick<ServerContext, 'db'>, root: Buffer) {
  await removeOwn(db, SAVED, root)
  await removeOwn(db, ALERTS, root)
}
