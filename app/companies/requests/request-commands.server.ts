import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, notFound, requireValid } from '#app/platform/http/refusal.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { companyPath } from '../company.ts'
import { lockCompany } from '../company-commands.server.ts'
import { type CompanyForm, insertOne } from '../importing/add-company.server.ts'
import {
  type RequestForm,
  type RequestStatus,
  requestProblems,
  tidyRequest,
} from './company-request.ts'
import { noticeToken } from './request-notice.server.ts'
import { REQUESTER_EMAIL, requesterEmail } from './request-queries.server.ts'
import { REQUEST_REFUSALS } from './request-review.ts'

/**
 * A member's address stays in the account. A visitor's is sealed, and stored only if they want the email.
 * @returns for a visitor who wants that mail, the token for the owner's notice. Spec §7.3
 * @throws Refusal bad-request
 */
export async function requestCompany(ctx: Ctx, form: RequestForm) {
  const { actor, db, secrets, now } = ctx
  requireValid(requestProblems(form, { isSignedIn: actor.account !== null }))
  const { companyName, companyWebsite, isNotify, notifyEmail } = tidyRequest(form)
  const isMailed = isNotify && actor.account === null
  const id = randomUUID()
  const emailSealed = isMailed
    ? secrets.seal(plainAddress(notifyEmail), sealContext(REQUESTER_EMAIL, id))
    : null
  await db.query(sql`
    insert into company_requests
      (id, company_name, company_website, requested_by, requester_email, notify, created_on)
    values (${id}, ${companyName}, ${companyWebsite}, ${actor.account?.id ?? null}, ${emailSealed},
            ${isNotify}, ${dayOf(now())})`)
  return { notice: isMailed ? noticeToken(ctx, id) : null }
}

/** @returns how many were deleted. Spec §8. */
export const deleteRequest = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const deleted = await ctx.db.query<{ name: string }>(
      sql`delete from company_requests where id = ${id} returning company_name as name`,
    )
    for (const { name } of deleted)
      await logAdminAct(ctx, { action: 'delete-request', subject: name })
    return { count: deleted.length }
  })

/**
 * Adds the company with the owner's values. Doesn't decide if there's a similar company, unless the owner says it's a
 * different one.
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
    const company = await lockCompany(ctx.db, companyId, 'bad-request')
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

/** Locks the request, so concurrent decisions see each other. */
async function lockPending({ db }: Ctx, id: string) {
  const [request] = await db.query<{ name: string; status: string }>(sql`
    select company_name as name, status
      from company_requests where id = ${id} for update`)
  if (!request) throw notFound(REQUEST_REFUSALS.notFound)
  if (request.status !== 'pending') throw conflict(REQUEST_REFUSALS.decided)
  return request
}

async function approve({ db, queue, secrets }: Ctx, id: string, companyId: string) {
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
    // We seal it again, so nothing in the queue equals a value in the accounts.
    sealedEmail: secrets.seal(email),
  }
  await queue.enqueue(db, REQUEST_APPROVED_TASK, payload)
}

/** The task that emails a requester who wanted to hear about their company. S15. */
export const REQUEST_APPROVED_TASK: TaskKind<RequestApproved> = 'company-request-approved'

/** The task's payload. */
export interface RequestApproved {
  companyId: string
  sealedEmail: string
}

/** Sends nothing if the company was deleted in the meantime. */
export async function sendApproval(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: MailSite,
  { companyId, sealedEmail }: RequestApproved,
) {
  const [company] = await db.query<{ id: string; name: string; slug: string | null }>(
    sql`select id, name, slug from companies where id = ${companyId}`,
  )
  if (!company) return
  await mailer.send({
    to: secrets.open(sealedEmail),
    ...mailOf(site, {
      subject: `${company.name} is on ${site.siteName}`,
      heading: 'The company you asked for is here',
      paragraphs: [
        `You asked us to add ${company.name}. Now people can find it, rate it and talk about it.`,
      ],
      action: { label: `See ${company.name}`, href: site.siteUrl() + companyPath(company) },
      note: 'You get this email because someone made a request with this address. We won’t send another.',
    }),
  })
}
