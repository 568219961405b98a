/** Who may manage a feed, and whose feed may still post. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { forbiddenFor, isAdministrator } from '#app/api/auth/permissions.ts'
import { requireToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { FEED_REFUSALS } from './job-feed.ts'

/** @param companyId null for feeds of several companies @throws Refusal forbidden */
export async function requireFeedAccess(ctx: Ctx, companyId: string | null) {
  if (isAdministrator(ctx.actor)) return
  if (companyId === null) throw forbiddenFor(ctx.actor, FEED_REFUSALS.siteForbidden)
  await requireToActFor(ctx, companyId, FEED_REFUSALS.forbidden)
}

interface OwnFeed {
  companyId: string | null
  address: string
  missing: string[]
  isPaused: boolean
}

/** Call it in a transaction. @throws Refusal not-found, forbidden */
export async function lockOwnFeed(ctx: Ctx, id: string): Promise<OwnFeed> {
  const [feed] = await ctx.db.query<OwnFeed>(sql`
    select company_id as "companyId", address, missing, paused is not null as "isPaused"
      from job_feeds where id = ${id} for update`)
  if (!feed) throw notFound(FEED_REFUSALS.notFound)
  await requireFeedAccess(ctx, feed.companyId)
  return feed
}

/** A condition for `job_feeds feed`: the person who gave it may still post its jobs. */
export const mayPost = sql`exists (
  select from accounts giver
   where giver.id = feed.account_id and not giver.is_suspended
     and (exists (select from admin_users where id = giver.id)
          or exists (select from employer_claims
                      where account_id = giver.id and company_id = feed.company_id
                        and status = 'approved')))`
