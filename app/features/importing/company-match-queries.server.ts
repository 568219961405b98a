/**
 * Finds the companies that rows of an import are already, by the slug of the name and by the host; and
 * those that they may be, by the keys of the search.
 */
import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import type { DataContext } from '../../server/context.server.ts'
import { foldText } from '../../writing/text.ts'
import { companyPath } from '../companies/company.ts'
import { baseSlug } from '../companies/company-commands.server.ts'
import { type Likeness, likeness, nearCores } from './company-matching.ts'
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

/** One that a row is like, and why. */
export type LikeCompany = Likeness & { company: SameCompany }

/** Of what begins with a key, so many are compared. */
const NEAR_MAX = 20
/** Behind every letter, and behind none. */
const LAST_LETTER = '\u{10ffff}'

interface Near extends Found {
  aliases: string[]
  ticker: string | null
  isMine: boolean
  probe: string
}

/**
 * For each row the company that it is or may be, by everything but what `companiesKnownAs` knows it by.
 * Keys are read in the order of their index, some six places a row; a name whose first letters many
 * companies share may have one behind those that are looked at.
 * @param besides companies that this import added are no doubt: a list knows its own
 */
export async function companiesLike(
  { db }: DataContext,
  rows: readonly ImportedCompany[],
  besides: string | null = null,
): Promise<(LikeCompany | undefined)[]> {
  const probes = new Map<string, { from: string; to: string; kinds: number }>()
  const probesOf = rows.map((row) => {
    if (isNameless(row)) return []
    const { exact, beginnings } = nearCores(row)
    const wanted = [
      ...exact.map((key) => ({ from: key, to: `${key} `, kinds: 0 })),
      ...beginnings.map(({ key, inside }) => ({
        from: key,
        to: key + LAST_LETTER,
        kinds: inside ? 1 : 0,
      })),
    ]
    return wanted.map((probe) => {
      const name = `${probe.from} ${probe.to} ${probe.kinds}`
      probes.set(name, probe)
      return name
    })
  })
  if (probes.size === 0) return rows.map(() => undefined)
  const list = [...probes.entries()]
  const tickers = rows.map(({ ticker }) => ticker).filter((ticker) => ticker !== null)
  const found = await db.query<Near>(sql`
    select near.probe, company.id, company.name, company.slug, company.website, company.aliases,
           company.ticker, mine.company_id is not null as "isMine"
      from (
        select wanted.probe, seen.company_id
          from unnest(${list.map(([name]) => name)}::text[],
                      ${list.map(([, { from }]) => from)}::text[],
                      ${list.map(([, { to }]) => to)}::text[],
                      ${list.map(([, { kinds }]) => kinds)}::smallint[])
               as wanted(probe, low, high, kinds)
         cross join lateral (
           select company_id from company_keys
            where kind <= 1 and kind <= wanted.kinds
              and key >= wanted.low collate "C" and key < wanted.high collate "C"
            order by key limit ${NEAR_MAX}) seen
        union
        select 'ticker ' || ticker, id from companies
         where ticker is not null and ticker = any (${tickers}::text[])) near
      join companies company on company.id = near.company_id
      left join imported_companies mine
        on mine.company_id = company.id and mine.import_id = ${besides}::uuid`)
  const byProbe = grouped(found)
  return rows.map((row, i) => {
    const names =
      row.ticker === null ? probesOf[i] : [...(probesOf[i] ?? []), `ticker ${row.ticker}`]
    const near = (names ?? []).flatMap((probe) => byProbe.get(probe) ?? [])
    let perhaps: LikeCompany | undefined
    const ours = { ...row, site: siteOf(row.website) }
    for (const company of near) {
      const like = likeness(ours, { ...company, site: siteOf(company.website) })
      if (!like) continue
      const one = { ...like, company: { name: company.name, path: companyPath(company) } }
      if (like.is === 'same') return one
      if (!company.isMine) perhaps ??= one
    }
    return perhaps
  })
}

function grouped(found: Near[]) {
  const groups = new Map<string, Near[]>()
  for (const near of found) {
    const group = groups.get(near.probe)
    if (group) group.push(near)
    else groups.set(near.probe, [near])
  }
  return groups
}

export const isNameless = ({ name }: Pick<ImportedCompany, 'name'>) =>
  baseSlug(name) === baseSlug(UNKNOWN_COMPANY)

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
