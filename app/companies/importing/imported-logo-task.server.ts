/**
 * Fetches the logo given with a row. Visitors' browsers contact no other server (S19), so we re-encode and store the
 * image, and don't store its address.
 */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { createPublicFetch, MEGABYTE } from '#app/platform/http/public-fetch.server.ts'
import { keepLogo } from '../logos/logo-commands.server.ts'
import { logoOf } from '../logos/logo-picture.server.ts'
import { fetchLogo } from '../logos/logo-task.server.ts'

const LOGO_BYTES = 2 * MEGABYTE

export interface ImportedLogo {
  companyId: string
  url: string
}

/** Safe to repeat, because an existing logo stays. */
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
  // If there's no image, the company's own site may have one.
  await (logo ? keepLogo(ctx, companyId, logo) : fetchLogo(ctx, { companyId }))
}
