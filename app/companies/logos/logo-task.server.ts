/** Looks for a company's logo on its own site. S19. */
import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import {
  createPublicFetch,
  type FetchPublic,
  MEGABYTE,
  parsePage,
} from '#app/platform/http/public-fetch.server.ts'
import { keepLogo, type LogoFetch } from './logo-commands.server.ts'
import { type Logo, logoOf } from './logo-picture.server.ts'

/** Safe to repeat. If there's no logo, nothing changes. */
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

/** Any page's head fits into this. */
const PAGE_BYTES = 512 * 1024
const ICONS_TRIED = 5
/** Assumed sizes: apple-touch-icons are 180 pixels wide. */
const USUAL_SIZE = { apple: 180, icon: 16 }

/** Undefined if there's no readable logo, or we can't reach the site. */
async function logoFromSite(website: string, fetchPublic: FetchPublic): Promise<Logo | undefined> {
  const page = await fetchPublic(website, { maxBytes: PAGE_BYTES, isCut: true }).catch(
    () => undefined,
  )
  const base = page?.url ?? website
  const icons = page ? iconsIn(page.body.toString('utf8'), base) : []
  for (const url of [...icons.slice(0, ICONS_TRIED), new URL('/favicon.ico', base).href]) {
    try {
      const { body } = await fetchPublic(url, { maxBytes: 2 * MEGABYTE })
      return await logoOf(body)
    } catch {
      // Try the next.
    }
  }
  return undefined
}

/** A page's icons without duplicates, largest first. */
export function iconsIn(html: string, base: string): string[] {
  const $ = parsePage(html)
  const icons = $('link[rel][href]')
    .toArray()
    .flatMap((link) => {
      const { rel = '', href = '', sizes = '', type = '' } = link.attribs
      const names = rel.toLowerCase().split(/\s+/)
      const isApple = names.some((name) => name.startsWith('apple-touch-icon'))
      if ((!isApple && !names.includes('icon')) || /svg/i.test(type) || /\.svg([?#]|$)/i.test(href))
        return []
      if (!URL.canParse(href, base)) return []
      const size = Number(/\d+/.exec(sizes)?.[0] ?? USUAL_SIZE[isApple ? 'apple' : 'icon'])
      return [{ url: new URL(href, base).href, size }]
    })
    .sort((a, b) => b.size - a.size)
  return [...new Set(icons.map(({ url }) => url))]
}
