/** We show a domain's badges from the night after enough people have one in the same quarter. */
import sql, { type Sql } from 'sql-template-tag'
import { quartersAround } from '#app/api/credential/quarter.ts'
import {
  type Event,
  emit,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { THRESHOLDS } from '#app/platform/operations/live-settings.ts'
import { companyPath } from '../company.ts'
import type { ShownBadge } from './badge.contract.ts'

/** @param domain a nullable column */
export const isShown = (domain: Sql) =>
  sql`exists (select from badge_domains open where open.domain = ${domain})`

export interface RawBadge {
  id: string
  name: string
  slug: string | null
}

/**
 * Select item `badge`: the company of a post's badge, or null if no badge is shown. Badges keep their original company,
 * so we look up merges.
 * @param post alias of `threads` or `comments`
 */
export const badgeOfPost = (post: Sql) => sql`
  case when ${post}.badge_domain is not null then (
    select json_build_object('id', company.id, 'name', company.name, 'slug', company.slug)
      from badge_domains shown
      join companies company on company.id = coalesce(
        (select company_id from company_merges where id = ${post}.badge_company_id),
        ${post}.badge_company_id)
     where shown.domain = ${post}.badge_domain) end as badge`

export const shownBadge = (badge: RawBadge | null): ShownBadge =>
  badge && { name: badge.name, path: companyPath(badge) }

/** Cached pages with these domains' badges must be dropped. */
export const BADGES_SHOWN: Event<{ domains: string[] }> = { name: 'badges-shown' }

/** Runs nightly: opens domains and rooms, and deletes the address hashes of expired badges. */
export const showBadges = (
  ctx: ServerContext,
  { badgeHoldersMin, roomHoldersMin }: Omit<typeof THRESHOLDS, 'ratingBatch'> = THRESHOLDS,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    await db.query(sql`set local statement_timeout = 0`)
    const shown = await db.query<{ domain: string }>(sql`
      insert into badge_domains (domain)
      select distinct domain from (
        select domain from badge_holders group by domain, quarter
        having count(*) >= ${badgeHoldersMin}) enough
      on conflict do nothing returning domain`)
    await db.query(sql`
      update badge_domains open set has_room = true
        from (select distinct domain from (
                select domain from badge_holders group by domain, quarter
                having count(*) >= ${roomHoldersMin}) enough) crowd
       where open.domain = crowd.domain and not open.has_room`)
    const [before, now] = quartersAround(todayOf(ctx))
    await db.query(sql`
      delete from badge_holders where quarter not in (${before}, ${now})`)
    const domains = shown.map(({ domain }) => domain)
    if (domains.length > 0) await emit(ctx, BADGES_SHOWN, { domains })
    return domains.length
  })
