/** The job that looks for a company's logo on its own site. Decision 19. */
import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { createPublicFetch } from '#app/platform/http/public-fetch.server.ts'
import { keepLogo, type LogoFetch } from './logo-commands.server.ts'
import { logoFromSite } from './logo-site.server.ts'

/** Done twice it does no harm. A site without a logo leaves the company as it was. */
export async function fetchLogo(
  ctx: DataContext,
  { companyId, isFirst }: LogoFetch,
  fetchPublic = createPublicFetch(),
) {
  const [company] = await ctx.db.query<{ website: string | null; logoUrl: string | null }>(
    sql`select website, logo_url as "logoUrl" from companies where id = ${companyId}`,
  )
  if (!company?.website || (isFirst && company.logoUrl)) return
  const logo = await logoFromSite(company.website, fetchPublic)
  if (logo) await keepLogo(ctx, companyId, logo)
}
