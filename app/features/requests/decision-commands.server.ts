/** Decisions on company requests: approved, linked to a company that is there, declined. Decision 15. */
import sql from 'sql-template-tag'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { badRequest, notFound, Refusal } from '../../server/refusal.ts'
import { COMPANY_NOT_FOUND, companyPath } from '../companies/company.ts'
import { REQUEST_APPROVED, type RequestApproved } from './approval-mail.server.ts'
import { DECIDED_ALREADY, LIST_REFUSALS, REQUEST_NOT_FOUND } from './request-review.ts'
import { demandReviewer, type ReviewCtx } from './reviewer.server.ts'

/** What the companies do for us, given by the main: their commands are theirs. */
export interface CompanyDesk {
  /** Adds them, with free slugs (decision 13), and says where they live, in their order. */
  insert(
    ctx: ServerContext,
    companies: { name: string; category: string; website: string | null }[],
  ): Promise<{ id: string; slug: string | null }[]>
  /** Says that a page about it is not as it was. */
  tell(db: Database, companyId: string, slugs: (string | null)[]): Promise<unknown>
  /** Queues the search for a logo. Decision 19. */
  fetchLogo(ctx: ServerContext, companyId: string): Promise<unknown>
}

export interface DecisionCtx extends ReviewCtx {
  companies: CompanyDesk
}

const DEFAULT_CATEGORY = 'Other'

/** Adds the company. @throws Refusal sign-in-required, forbidden, not-found, conflict */
export const approveRequest = (ctx: DecisionCtx, id: string) =>
  transaction(ctx, async (ctx) => {
    demandReviewer(ctx, LIST_REFUSALS)
    const request = await lockPending(ctx, id)
    const company = await addCompany(ctx, request)
    await approve(ctx, id, company.id)
    await ctx.note(ctx, { action: 'approve-request', subject: request.name })
    return decided('approved', company)
  })

/** @throws Refusal sign-in-required, forbidden, not-found, conflict, bad-request */
export const linkRequest = (ctx: DecisionCtx, id: string, companyId: string) =>
  transaction(ctx, async (ctx) => {
    demandReviewer(ctx, LIST_REFUSALS)
    const request = await lockPending(ctx, id)
    const [company] = await ctx.db.query<Company>(sql`
      select id, name, slug from companies where id = ${companyId} for key share`)
    if (!company) throw badRequest(COMPANY_NOT_FOUND)
    await approve(ctx, id, companyId)
    await ctx.note(ctx, { action: 'approve-request', subject: request.name })
    return decided('approved', company)
  })

/** @throws Refusal sign-in-required, forbidden, not-found, conflict */
export const declineRequest = (ctx: ReviewCtx, id: string) =>
  transaction(ctx, async (ctx) => {
    demandReviewer(ctx, LIST_REFUSALS)
    const request = await lockPending(ctx, id)
    await ctx.db.query(sql`update company_requests set status = 'declined' where id = ${id}`)
    await ctx.note(ctx, { action: 'decline-request', subject: request.name })
    return decided('declined', null)
  })

interface Company {
  id: string
  name: string
  slug: string | null
}

const decided = (status: 'approved' | 'declined', company: Company | null) => ({
  status,
  company: company && { name: company.name, path: companyPath(company) },
})

/** Two decisions at once see each other. */
async function lockPending({ db }: ReviewCtx, id: string) {
  const [request] = await db.query<{ name: string; website: string | null; status: string }>(sql`
    select company_name as name, company_website as website, status
      from company_requests where id = ${id} for update`)
  if (!request) throw notFound(REQUEST_NOT_FOUND)
  if (request.status !== 'pending') throw new Refusal('conflict', DECIDED_ALREADY)
  return request
}

async function addCompany(
  ctx: DecisionCtx,
  { name, website }: { name: string; website: string | null },
) {
  const { db, companies } = ctx
  const [added] = await companies.insert(ctx, [{ name, category: DEFAULT_CATEGORY, website }])
  if (!added) throw new Error('The company was not added')
  await companies.tell(db, added.id, [added.slug])
  if (website) await companies.fetchLogo(ctx, added.id)
  return { name, ...added }
}

async function approve({ db, jobs, secrets }: DecisionCtx, id: string, companyId: string) {
  const [request] = await db.query<{ emailSealed: string | null; notify: boolean }>(sql`
    with approved as (
      update company_requests set status = 'approved', company_id = ${companyId}
       where id = ${id} returning requested_by, requester_email, notify)
    select approved.notify, coalesce(account.email_sealed, approved.requester_email) as "emailSealed"
      from approved
      left join accounts account
        on account.id = approved.requested_by and not account.is_suspended`)
  if (!request?.notify || request.emailSealed === null) return
  const payload: RequestApproved = {
    companyId,
    // Sealed anew: nothing in the queue equals anything in the accounts.
    sealedEmail: secrets.seal(secrets.open(request.emailSealed)),
  }
  await jobs.enqueue(db, REQUEST_APPROVED, payload)
}
