/**
 * The job that fetches a logo whose address came with its row. Visitors' browsers ask nobody but us
 * (S19), so the picture is drawn anew and kept here, and its address is not kept at all.
 */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { createPublicFetch, MEGABYTE } from '#app/platform/http/public-fetch.server.ts'
import { keepLogo } from '../logos/logo-commands.server.ts'
import { fetchLogo } from '../logos/logo-job.server.ts'
import { logoOf } from '../logos/logo-picture.server.ts'

const LOGO_BYTES = 2 * MEGABYTE

export interface ImportedLogo {
  companyId: string
  url: string
}

/** Done twice it does no harm: who has a logo by then keeps it. */
export async function fetchImportedLogo(
  ctx: ServerContext,
  { companyId, url }: ImportedLogo,
  fetchPublic = createPublicFetch(),
) {
  const [company] = await ctx.db.query<{ logoUrl: string | null }>(
    sql`select logo_url as "logoUrl" from companies where id = ${companyId}`,
  )
  if (!company || company.logoUrl) return
  const logo = await fetchPublic(url, { maxBytes: LOGO_BYTES })
    .then(({ body }) => logoOf(body))
    .catch(() => undefined)
  // No picture there: its own site may have one.
  await (logo ? keepLogo(ctx, companyId, logo) : fetchLogo(ctx, { companyId }))
}
