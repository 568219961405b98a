/** Approves requests, links them to an existing company, or declines them. S15. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { badRequest, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { COMPANY_NOT_FOUND, companyPath } from '../company.ts'
import { type CompanyForm, insertOne } from '../importing/add-company.server.ts'
import { REQUEST_APPROVED, type RequestApproved } from './approval-mail.server.ts'
import type { RequestStatus } from './company-request.ts'
import { DECIDED_ALREADY, REQUEST_NOT_FOUND } from './request-review.ts'
import { requesterEmail } from './requester-email.server.ts'

/**
 * Adds the company with the owner's values. Decides nothing if there is a similar one that the owner doesn't call another.
 * @throws Refusal not-found, conflict, bad-request
 */
export const approveRequest = (ctx: Ctx, id: string, form: CompanyForm) =>
  transaction(ctx, async (ctx) => {
    const request = await lockPending(ctx, id)
    const { added, double } = await insertOne(ctx, form)
    if (!added) return { ...decided('pending', null), double }
    await approve(ctx, id, added.id)
    await logAdminAct(ctx, {
      action: 'approve-request',
      subject: request.name,
      companyId: added.id,
    })
    return { ...decided('approved', added), double }
  })

/** @throws Refusal not-found, conflict, bad-request */
export const linkRequest = (ctx: Ctx, id: string, companyId: string) =>
  transaction(ctx, async (ctx) => {
    const request = await lockPending(ctx, id)
    const [company] = await ctx.db.query<Company>(sql`
      select id, name, slug from companies where id = ${companyId} for key share`)
    if (!company) throw badRequest(COMPANY_NOT_FOUND)
    await approve(ctx, id, companyId)
    await logAdminAct(ctx, { action: 'approve-request', subject: request.name, companyId })
    return decided('approved', company)
  })

/** @throws Refusal not-found, conflict */
export const declineRequest = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const request = await lockPending(ctx, id)
    await ctx.db.query(sql`update company_requests set status = 'declined' where id = ${id}`)
    await logAdminAct(ctx, { action: 'decline-request', subject: request.name })
    return decided('declined', null)
  })

interface Company {
  id: string
  name: string
  slug: string | null
}

const decided = (status: RequestStatus, company: Company | null) => ({
  status,
  company: company && { name: company.name, path: companyPath(company) },
})

/** Concurrent decisions see each other. */
async function lockPending({ db }: Ctx, id: string) {
  const [request] = await db.query<{ name: string; status: string }>(sql`
    select company_name as name, status
      from company_requests where id = ${id} for update`)
  if (!request) throw notFound(REQUEST_NOT_FOUND)
  if (request.status !== 'pending') throw new Refusal('conflict', DECIDED_ALREADY)
  return request
}

async function approve({ db, jobs, secrets }: Ctx, id: string, companyId: string) {
  const [request] = await db.query<{
    accountId: string | null
    accountSealed: string | null
    emailSealed: string | null
    notify: boolean
  }>(sql`
    with approved as (
      update company_requests set status = 'approved', company_id = ${companyId}
       where id = ${id} returning requested_by, requester_email, notify)
    select approved.notify, account.id as "accountId", account.email_sealed as "accountSealed",
           approved.requester_email as "emailSealed"
      from approved
      left join accounts account
        on account.id = approved.requested_by and not account.is_suspended`)
  const email = request?.notify ? requesterEmail(secrets, { id, ...request }) : null
  if (email === null) return
  const payload: RequestApproved = {
    companyId,
    // Sealed again, so that nothing in the queue equals a value in the accounts.
    sealedEmail: secrets.seal(email),
  }
  await jobs.enqueue(db, REQUEST_APPROVED, payload)
}
