/** Finds the companies that rows of an import are already: by the slug of the name, and by the host. */
import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import type { DataContext } from '../../server/context.server.ts'
import { foldText } from '../../writing/text.ts'
import { companyPath } from '../companies/company.ts'
import { baseSlug } from '../companies/company-commands.server.ts'
import type { SameCompany } from './import-report.ts'
import { type ImportedCompany, siteOf, UNKNOWN_COMPANY } from './imported-company.ts'

/** Of a site with many companies, so many are looked at. */
const SITE_MATCHES_MAX = 20

type Named = Pick<ImportedCompany, 'name' | 'website'>

/**
 * What a company is known by; two rows that share one are the same company.
 *
 * "Unknown Company" is no name: nameless rows are the same only when their websites are, and all
 * that have neither are one. So a second run of a file finds what the first one added.
 */
export function identitiesOf({ name, website }: Named): string[] {
  const base = baseSlug(name)
  const site = siteOf(website)
  const ofSite = site === null ? [] : [`site ${site}`]
  if (base !== baseSlug(UNKNOWN_COMPANY))
    return [base === null ? `name ${foldText(name)}` : `slug ${base}`, ...ofSite]
  return site === null ? [`nameless ${website ?? ''}`] : ofSite
}

interface Found {
  id: string
  name: string
  slug: string | null
  website: string | null
}

/** Which companies have these identities, by identity. */
export async function companiesKnownAs(
  { db }: DataContext,
  wanted: ReadonlySet<string>,
): Promise<Map<string, SameCompany>> {
  const known = new Map<string, SameCompany>()
  const of = (kind: string) =>
    [...wanted].flatMap((identity) =>
      identity.startsWith(`${kind} `) ? [identity.slice(kind.length + 1)] : [],
    )
  const learn = (found: Found[]) => {
    for (const company of found)
      for (const identity of identitiesOf(company))
        if (wanted.has(identity) && !known.has(identity))
          known.set(identity, { name: company.name, path: companyPath(company) })
  }

  learn(await bySlug(db, of('slug')))
  for (const { base, ...company } of await byOldSlug(db, of('slug')))
    if (!known.has(`slug ${base}`))
      known.set(`slug ${base}`, { name: company.name, path: companyPath(company) })
  const sites = of('site')
  learn(await bySite(db, [...new Set([...sites, ...sites.map(domainToUnicode)])]))
  if (of('name').length > 0)
    learn(
      await db.query<Found>(sql`
        select id, name, slug, website from companies where name_key = any (${of('name')}::text[])`),
    )
  const unknown = baseSlug(UNKNOWN_COMPANY)
  if (unknown !== null && of('nameless').length > 0) learn(await bySlug(db, [unknown]))
  return known
}

/** Those named so, whatever number their slug has. As slugsLike of companies reads them. */
const bySlug = (db: DataContext['db'], bases: string[]) =>
  db.query<Found>(sql`
    select used.* from unnest(${bases}::text[]) as wanted(base)
     cross join lateral (
       select id, name, slug, website from companies
        where slug = wanted.base or (slug > wanted.base || '-0' and slug < wanted.base || '-:')) used`)

/** Those that were named so before. */
const byOldSlug = (db: DataContext['db'], bases: string[]) =>
  db.query<Found & { base: string }>(sql`
    select old.slug as base, company.id, company.name, company.slug, company.website
      from company_old_slugs old join companies company on company.id = old.company_id
     where old.slug = any (${bases}::text[])`)

const bySite = (db: DataContext['db'], sites: string[]) =>
  db.query<Found>(sql`
    select found.* from unnest(${sites}::text[]) as wanted(site)
     cross join lateral (
       select id, name, slug, website from companies
        where website is not null
          and company_site(website) collate "C" = wanted.site collate "C"
        limit ${SITE_MATCHES_MAX}) found`)
