/** Saves jobs, and forgets them again. */
import sql from 'sql-template-tag'
import { takeAuthorTurn } from '../../../auth/author-turn.server.ts'
import type { Ctx } from '../../../auth/context.server.ts'
import { requireAuthorKey } from '../../../auth/require.server.ts'
import { type ServerContext, transaction } from '../../../server/context.server.ts'
import { notFound, Refusal } from '../../../server/refusal.ts'
import { SAVED_FULL, SAVED_JOBS_MAX } from '../alerts/job-alert.ts'
import { JOB_NOT_FOUND } from '../job.ts'

/** Twice is once. @throws Refusal sign-in-required, not-found, also for a draft, conflict */
export const saveJob = (ctx: Ctx, jobId: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const authorKey = requireAuthorKey(ctx)
    const [job] = await db.query(
      sql`select from job_postings where id = ${jobId} and status <> 'draft' and hidden is null for key share`,
    )
    if (!job) throw notFound(JOB_NOT_FOUND)
    await takeAuthorTurn(db, authorKey)
    const [known] = await db.query<{ others: number; isSaved: boolean }>(sql`
      select count(*)::integer as others,
             coalesce(bool_or(job_id = ${jobId}), false) as "isSaved"
        from saved_jobs where author_key = ${authorKey}`)
    if (known && !known.isSaved && known.others >= SAVED_JOBS_MAX)
      throw new Refusal('conflict', SAVED_FULL)
    await db.query(sql`
      insert into saved_jobs (author_key, job_id) values (${authorKey}, ${jobId})
      on conflict do nothing`)
    return { isSaved: true }
  })

/** Also what was not saved, or is gone. @throws Refusal sign-in-required */
export async function forgetJob(ctx: Ctx, jobId: string) {
  const authorKey = requireAuthorKey(ctx)
  await ctx.db.query(sql`
    delete from saved_jobs where author_key = ${authorKey} and job_id = ${jobId}`)
  return { isSaved: false }
}

/** What goes with an account: what it saved, and the alerts that it waited for. */
export async function forgetJobSeeker({ db }: Pick<ServerContext, 'db'>, authorKey: string) {
  await db.query(sql`delete from saved_jobs where author_key = ${authorKey}`)
  await db.query(sql`delete from job_alerts where author_key = ${authorKey}`)
}
