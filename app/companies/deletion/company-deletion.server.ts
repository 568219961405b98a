/** Deletes a company with all that was said about it: permit, check, write. S14. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { publishActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { type Database, isDatabaseError } from '#app/platform/database/database.server.ts'
import { type Event, publish } from '#app/platform/database/events.server.ts'
import { badRequest, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { COMPANY_NOT_FOUND } from '../company.ts'
import { publishCompany, publishCompanyLoss } from '../company-events.server.ts'
import { type Belongings, BUSY_COMPANY, belongingLines, nameProblem } from './company-deletion.ts'

/** Each upper feature takes away what it keeps about the company, and answers how much that was. */
export const COMPANY_DELETED: Event<{ companyId: string }, Partial<Belongings>> = {
  name: 'company-deleted',
}

/**
 * How much would go with it. Comments as their threads count them: nobody counts a million rows to ask
 * a question.
 * @throws Refusal not-found
 */
export async function companyBelongings(ctx: Ctx, id: string): Promise<Belongings> {
  const [found] = await ctx.db.query<Belongings>(sql`
    select said.threads, said.comments, stats.ratings,
           (select count(*)::integer from job_postings where company_id = ${id}) as jobs
      from company_stats stats, (
             select count(*)::integer as threads, coalesce(sum(comments), 0)::integer as comments
               from threads where company_id = ${id}) said
     where stats.company_id = ${id}`)
  if (!found) throw notFound(COMPANY_NOT_FOUND)
  return found
}

/** Gives way before the database would have to end somebody else's transaction for this one. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '500ms'`
const LOCK_NOT_AVAILABLE = '55P03'
const TRIES = 20

/**
 * All in one transaction, or nothing. Whoever rates, claims, follows or starts a thread meanwhile waits
 * for it, and is told that there is no such company; whoever came before is waited for.
 * @param typed its name: whoever deletes it knows which one
 * @throws Refusal not-found, bad-request for another name, conflict where people write about it all the
 * time
 */
export async function deleteCompany(ctx: Ctx, id: string, typed: string): Promise<Belongings> {
  for (let tried = 1; ; tried++)
    try {
      return await transaction(ctx, (ctx) => deleteWhole(ctx, id, typed))
    } catch (error) {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE)) throw error
      if (tried === TRIES) throw new Refusal('conflict', BUSY_COMPANY)
    }
}

async function deleteWhole(ctx: Ctx, id: string, typed: string): Promise<Belongings> {
  const { db } = ctx
  await db.query(LOCK_TIMEOUT)
  // It may take as long as there is much about it.
  await db.query(sql`set local statement_timeout = 0`)
  const { name, slugs, claimants } = await lockForDeletion(db, id)
  const problem = nameProblem(typed, name)
  if (problem) throw badRequest(problem)
  const taken = await publish(ctx, COMPANY_DELETED, { companyId: id })
  const gone: Belongings = Object.assign({ threads: 0, comments: 0, ratings: 0, jobs: 0 }, ...taken)
  await db.query(sql`delete from companies where id = ${id}`)
  // Their right to act for it went with it.
  await publishActorChange(ctx, ...claimants)
  const subject = `${name}, with ${belongingLines(gone).join(', ')}`
  await logAdminAct(ctx, { action: 'delete-company', subject })
  // One at a time: a telling has little room, and a company may have had many names.
  for (const slug of slugs) await publishCompany(db, id, [slug])
  await publishCompanyLoss(db)
  return gone
}

/**
 * The company, so that nothing new comes to it; then the accounts that claim it, as whoever decides
 * about a claim takes the account first.
 * @returns the addresses under which it is or was to be found, null for its id alone; and those accounts
 * @throws Refusal not-found
 */
async function lockForDeletion(db: Database, id: string) {
  const [company] = await db.query<{ name: string; slug: string | null }>(
    sql`select name, slug from companies where id = ${id} for update`,
  )
  if (!company) throw notFound(COMPANY_NOT_FOUND)
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
