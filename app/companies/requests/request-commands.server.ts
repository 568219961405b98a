import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { placeIn } from '#app/platform/database/sealed-columns.server.ts'
import { badRequest, Refusal } from '#app/platform/http/refusal.ts'
import { dayOf } from '#app/platform/jobs/days.server.ts'
import { type RequestForm, requestProblems, tidyRequest } from './company-request.ts'
import { noticeToken } from './notice-token.server.ts'
import { REQUESTER_EMAIL } from './requester-email.server.ts'

/**
 * A member's address stays in the account; a visitor's is sealed, and stored only for the mail it was given for.
 * @returns for a visitor who wants that mail, the token for the owner's notice. Spec §7.3
 * @throws Refusal bad-request
 */
export async function requestCompany(ctx: Ctx, form: RequestForm) {
  const { actor, db, secrets, now } = ctx
  if (!may.requestCompany()) throw new Refusal('forbidden', 'You can’t request a company')
  const problems = requestProblems(form, { isSignedIn: actor.account !== null })
  const problem = Object.values(problems).find(Boolean)
  if (problem) throw badRequest(problem)
  const { companyName, companyWebsite, isNotify, notifyEmail } = tidyRequest(form)
  const isMailed = isNotify && actor.account === null
  const id = randomUUID()
  const emailSealed = isMailed
    ? secrets.seal(plainAddress(notifyEmail), placeIn(REQUESTER_EMAIL, id))
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
