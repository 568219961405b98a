/** Deletes a company and everything said about it. S14. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type Database, isLockTimeout } from '#app/platform/database/database.server.ts'
import { type Event, emit, transaction } from '#app/platform/database/server-context.server.ts'
import { conflict, requireValid } from '#app/platform/http/refusal.ts'
import { broadcastCompanyChange, broadcastCompanyLoss } from '../company-changes.server.ts'
import { noCompany } from '../merging/merged-companies.server.ts'
import { type Belongings, BUSY_COMPANY, belongingLines, nameProblem } from './company-deletion.ts'

/** Makes each upper feature remove its rows and, if it likes, return how many there were. */
export const COMPANY_DELETED: Event<{ companyId: string }, Partial<Belongings>> = {
  name: 'company-deleted',
}

/**
 * Takes comments from their threads' counters, because a preview shouldn't count a million rows. @throws Refusal
 * not-found
 */
export async function companyBelongings(ctx: Ctx, id: string): Promise<Belongings> {
  const [found] = await ctx.db.query<Belongings>(sql`
    select said.threads, said.comments, stats.ratings,
           (select count(*)::integer from job_postings where company_id = ${id}) as jobs
      from company_stats stats, (
             select count(*)::integer as threads, coalesce(sum(comments), 0)::integer as comments
               from threads where company_id = ${id}) said
     where stats.company_id = ${id}`)
  if (!found) throw noCompany()
  return found
}

/** Gives up before PostgreSQL resolves a deadlock at someone else's expense. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '500ms'`
const TRIES = 20

/** One transaction, retried while others hold the locks. @throws Refusal conflict with `busy` if it never succeeds */
export async function retryWhileLocked<Result>(
  ctx: Ctx,
  busy: string,
  work: (ctx: Ctx) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await transaction(ctx, async (ctx) => {
        await ctx.db.query(LOCK_TIMEOUT)
        // Deleting a company with many posts takes long.
        await ctx.db.query(sql`set local statement_timeout = 0`)
        return work(ctx)
      })
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (tried === TRIES) throw conflict(busy)
    }
}

/**
 * One transaction. It waits for earlier writers about the company. Later ones wait for it, and then don't find the company.
 * @param typed its name, to confirm
 * @throws Refusal not-found, bad-request for another name, conflict if people keep writing about it
 */
export const deleteCompany = (ctx: Ctx, id: string, typed: string) =>
  retryWhileLocked(ctx, BUSY_COMPANY, (ctx) => deleteWhole(ctx, id, typed))

async function deleteWhole(ctx: Ctx, id: string, typed: string): Promise<Belongings> {
  const { db } = ctx
  const { name, slugs, claimants } = await lockForDeletion(db, id)
  requireValid(nameProblem(typed, name))
  const taken = await emit(ctx, COMPANY_DELETED, { companyId: id })
  const gone: Belongings = Object.assign({ threads: 0, comments: 0, ratings: 0, jobs: 0 }, ...taken)
  await db.query(sql`delete from companies where id = ${id}`)
  // The claimants' claims were deleted, too.
  await broadcastActorChange(ctx, ...claimants)
  const subject = `${name}, with ${belongingLines(gone).join(', ')}`
  await logAdminAct(ctx, { action: 'delete-company', subject })
  // One by one, because a notification's payload is small and a company may have many former slugs.
  for (const slug of slugs) await broadcastCompanyChange(db, id, [slug])
  await broadcastCompanyLoss(db)
  return gone
}

/**
 * Locks the company against new rows, then the accounts with claims, because decisions on claims lock the account first.
 * @returns its current and former slugs, null for the id alone, and those accounts
 * @throws Refusal not-found
 */
async function lockForDeletion(db: Database, id: string) {
  const [company] = await db.query<{ name: string; slug: string | null }>(
    sql`select name, slug from companies where id = ${id} for update`,
  )
  if (!company) throw noCompany()
  const claimants = await db.query<{ id: string }>(sql`
    select id from accounts
     where id in (select account_id from employer_claims where company_id = ${id})
     order by id for no key update`)
  const former = await db.query<{ slug: string }>(
    sql`select slug from company_old_slugs where company_id = ${id} order by slug`,
  )
  return {
    name: company.name,
    slugs: [company.slug, ...former.map(({ slug }) => slug)],
    claimants: claimants.map(({ id }) => id),
  }
}
