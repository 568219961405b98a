/** Writes of logos. S19. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  type DataContext,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import { badRequest, conflict } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { NIL_UUID } from '#app/platform/uuid.ts'
import { logoPath } from '../company.ts'
import { broadcastCompanyChange, recordChange } from '../company-changes.server.ts'
import { noCompany } from '../merging/merged-companies.server.ts'
import { LOGO_REFUSALS } from './logo.ts'
import { type Logo, logoOf } from './logo-picture.server.ts'

/** Task: looks for a logo on a company's own site. */
export const LOGO_FETCH_TASK: TaskKind<LogoFetch> = 'logo-fetch'
export interface LogoFetch {
  companyId: string
  /** Runs automatically, and doesn't replace a logo that was added meanwhile. */
  isFirst?: boolean
}

/** @throws Refusal too-large, unsupported-type, not-found */
export async function uploadLogo(ctx: Ctx, companyId: string, file: Buffer) {
  return { logoUrl: await keepLogo(ctx, companyId, await logoOf(file)) }
}

/** @throws Refusal not-found, bad-request without a website, or if this site fetches none */
export async function requestLogoFetch(ctx: Ctx, companyId: string, hasLogoSearch: boolean) {
  const [company] = await ctx.db.query<{ website: string | null }>(
    sql`select website from companies where id = ${companyId}`,
  )
  if (!company) throw noCompany()
  if (!company.website) throw badRequest(LOGO_REFUSALS.noWebsite)
  if (!hasLogoSearch) throw badRequest(LOGO_REFUSALS.notFetched)
  await enqueueLogoFetch(ctx, companyId)
  return { isQueued: true as const }
}

/** S19: runs after the commit. */
export const enqueueLogoFetch = (
  { db, queue }: Pick<ServerContext, 'db' | 'queue'>,
  companyId: string,
) => queue.enqueue(db, LOGO_FETCH_TASK, { companyId })

/** Stores the logo and records the change. @returns its address @throws Refusal not-found */
export const keepLogo = (
  ctx: DataContext & { actor?: Ctx['actor'] },
  companyId: string,
  { hash, bytes }: Logo,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const [company] = await db.query<{ logoUrl: string | null; slug: string | null }>(sql`
      select logo_url as "logoUrl", slug from companies where id = ${companyId} for no key update`)
    if (!company) throw noCompany()
    const logoUrl = logoPath(companyId, hash)
    if (company.logoUrl === logoUrl) return logoUrl
    await db.query(sql`
      insert into company_logos (company_id, hash, bytes)
      values (${companyId}, ${hash}, decode(${bytes.toString('base64')}, 'base64'))
      on conflict (company_id) do update set hash = excluded.hash, bytes = excluded.bytes`)
    await db.query(sql`update companies set logo_url = ${logoUrl} where id = ${companyId}`)
    await recordChange(ctx, companyId, { logo: { from: company.logoUrl, to: logoUrl } })
    await broadcastCompanyChange(db, companyId, [company.slug])
    return logoUrl
  })

/** Undoes a first logo. We don't store replaced ones. Run it in a transaction. */
export async function removeFirstLogo(
  { db }: Pick<DataContext, 'db'>,
  companyId: string,
  { from, to }: { from: string | null; to: string | null },
) {
  if (from !== null) throw conflict(LOGO_REFUSALS.previousLost)
  const removed = await db.query(sql`
    update companies set logo_url = null where id = ${companyId} and logo_url = ${to}
    returning id`)
  if (removed.length === 0) throw conflict(LOGO_REFUSALS.replaced)
  await db.query(sql`delete from company_logos where company_id = ${companyId}`)
}

/** Fast enough to try hundreds within hours, and a million within half a year. */
export const PORTION = 20
export const PORTION_MS = 5 * 60_000
/** How many companies we read at once, to skip those with a logo. */
const LOOKED_THROUGH = 1_000
/** After this long, a site may have a logo now. */
const REST_DAYS = 30

interface Search {
  after: string
  isOver: boolean
  isRested: boolean
}

/**
 * Tries to find logos of companies without one. Spec §5. Does one portion. It goes through all
 * companies by id, pauses, and starts over.
 */
export const searchMissingLogos = (
  { now, queue }: Pick<ServerContext, 'now' | 'queue'>,
  db: Database,
) =>
  db.transaction(async (db) => {
    const today = dayOf(now())
    const rested = dayOf(new Date(now().getTime() - REST_DAYS * DAY_MS))
    await db.query(sql`
      insert into logo_search (after, began_on, is_over) values (${NIL_UUID}, ${today}, false)
      on conflict do nothing`)
    const [search] = await db.query<Search>(sql`
      select after, is_over as "isOver", began_on <= ${rested} as "isRested"
        from logo_search for update`)
    if (!search || (search.isOver && !search.isRested)) return
    if (search.isOver)
      await db.query(sql`
        update logo_search set after = ${NIL_UUID}, began_on = ${today}, is_over = false`)
    const after = search.isOver ? NIL_UUID : search.after

    const looked = await db.query<{ id: string; isMissing: boolean }>(sql`
      select id, logo_url is null and website is not null and not demo as "isMissing"
        from companies where id > ${after}::uuid order by id limit ${LOOKED_THROUGH}`)
    const missing = looked.filter(({ isMissing }) => isMissing).slice(0, PORTION)
    for (const { id } of missing)
      await queue.enqueue(db, LOGO_FETCH_TASK, { companyId: id, isFirst: true })
    const last = missing.length === PORTION ? missing.at(-1) : looked.at(-1)
    if (!last) return
    const isOver = looked.length < LOOKED_THROUGH && last === looked.at(-1)
    await db.query(sql`update logo_search set after = ${last.id}, is_over = ${isOver}`)
  })
