/** Finds existing companies for rows: the same ones by slug and host, possible ones by the search's keys. */
import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import { foldText } from '#app/kit/writing/text.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { companyPath } from '../company.ts'
import { baseSlug } from '../company-commands.server.ts'
import { type Comparable, likeness, nearCores, type Reason } from './company-matching.ts'
import { decisionsAbout } from './import-decisions.server.ts'
import type { Decision, KnownCompany } from './import-report.ts'
import { type ImportedCompany, siteOf, UNKNOWN_COMPANY } from './imported-company.ts'

/** How many companies we read per host. */
const SITE_MATCHES_MAX = 20

type Named = Pick<ImportedCompany, 'name' | 'website'>

/**
 * Two rows that share an identity are the same company. "Unknown Company" isn't a name: rows without a name are the same
 * only by website, and all rows without either are one. So a second import of a file finds what the first one added.
 */
export function identitiesOf({ name, website }: Named): string[] {
  const base = baseSlug(name)
  const site = siteOf(website)
  const ofSite = site === null ? [] : [`site ${site}`]
  if (base !== baseSlug(UNKNOWN_COMPANY)) {
    const names =
      base === null
        ? [`name ${foldText(name)}`]
        : // Older slugs have no accents.
          [...new Set([base, baseSlug(foldText(name))])].map((slug) => `slug ${slug}`)
    // If several companies share a name or site, picks the one with both.
    return [
      ...ofSite.flatMap((site) => names.map((name) => `both ${name} ${site}`)),
      ...names,
      ...ofSite,
    ]
  }
  return site === null ? [`nameless ${website ?? ''}`] : ofSite
}

export interface PerhapsCompany {
  is: 'perhaps'
  because: Reason
  company: KnownCompany
  /** What an administrator decided for an earlier list. */
  decided?: Decision
  /** The ids of all companies that it may be. */
  alike: string[]
}
type LikeCompany = { is: 'same'; company: KnownCompany } | PerhapsCompany

/** How many companies we compare per key. */
const NEAR_MAX = 20
/** Sorts after every letter. */
const LAST_LETTER = '\u{10ffff}'

interface Near extends StoredCompany {
  aliases: string[]
  ticker: string | null
  isMine: boolean
  probe: string
}

/**
 * The company that each row is or may be, by everything that `companiesKnownAs` doesn't use. We read at most NEAR_MAX
 * companies per key, so we may miss one if many share the beginning of a name. Of several that it may be, the one that an
 * administrator said it is, or else the first that no one has decided on. @param besides an import whose own companies
 * aren't duplicates
 */
export async function companiesLike(
  { db }: DataContext,
  rows: readonly ImportedCompany[],
  besides: string | null = null,
): Promise<(LikeCompany | undefined)[]> {
  const searched = rows.map((company) => {
    if (isNameless(company)) return { row: undefined, probes: [] }
    const row: Comparable = { ...company, site: siteOf(company.website) }
    const { exact, beginnings } = nearCores(row)
    const { ticker } = row
    return {
      row,
      probes: [
        ...exact.map((key) => ({ name: `is ${key}`, key })),
        ...beginnings.map(({ key, inside }) => ({ name: `${inside} ${key}`, begins: key, inside })),
        ...(ticker === null ? [] : [{ name: `ticker ${ticker}`, ticker }]),
      ] satisfies Probe[] as Probe[],
    }
  })
  const probes = new Map(
    searched.flatMap(({ probes }) => probes.map((probe) => [probe.name, probe])),
  )
  if (probes.size === 0) return rows.map(() => undefined)
  const near = grouped(await companiesNear(db, [...probes.values()], besides))
  const found = searched.map(({ row, probes }): Found => {
    const perhaps = new Map<string, Pick<PerhapsCompany, 'because' | 'company'>>()
    if (!row) return { perhaps }
    for (const probe of probes)
      for (const { comparable, isMine, ...company } of near.get(probe.name) ?? []) {
        const like = likeness(row, comparable)
        if (like?.is === 'same') return { same: company, perhaps: new Map() }
        if (like && !isMine && !perhaps.has(company.id))
          perhaps.set(company.id, { because: like.because, company })
      }
    return { perhaps }
  })
  const decidedOn = await decisionsAbout({ db }, rows)
  return found.map(({ same, perhaps }, i): LikeCompany | undefined => {
    if (same) return { is: 'same', company: same }
    const decided = decidedOn(rows[i] as ImportedCompany)
    const all = [...perhaps.values()]
    const alike = [...perhaps.keys()]
    if (decided.same) {
      const { id } = decided.same
      // It may have another name since.
      const because = perhaps.get(id)?.because ?? 'alias'
      return {
        is: 'perhaps',
        company: decided.same,
        because,
        decided: 'same',
        alike: [...alike, id],
      }
    }
    const open = all.find(({ company }) => !decided.others.has(company.id))
    if (open) return { is: 'perhaps', ...open, alike }
    return all[0] && { is: 'perhaps', ...all[0], decided: 'new', alike }
  })
}

interface Found {
  same?: KnownCompany
  /** By id. */
  perhaps: Map<string, Pick<PerhapsCompany, 'because' | 'company'>>
}

interface Probe {
  name: string
  /** Keys of whole names. */
  key?: string
  /** Keys of names' beginnings. */
  begins?: string
  /** Whether the match may begin at a later word. */
  inside?: boolean
  ticker?: string
}

function companiesNear(db: DataContext['db'], probes: Probe[], besides: string | null) {
  const keys = probes.flatMap(({ key }) => key ?? [])
  const tickers = probes.flatMap(({ ticker }) => ticker ?? [])
  const ranges = probes.filter(({ begins }) => begins !== undefined)
  return db.query<Near>(sql`
    select near.probe, company.id, company.name, company.slug, company.website, company.aliases,
           company.ticker, mine.company_id is not null as "isMine"
      from (
        select 'is ' || wanted.key as probe, seen.company_id
          from unnest(${keys}::text[]) as wanted(key)
         cross join lateral (
           -- As a range in index order: by equality the planner reads all names in the primary key.
           select company_id from company_keys
            where kind <= 1 and kind = 0
              and key >= wanted.key collate "C" and key < wanted.key || ' ' collate "C"
            order by key limit ${NEAR_MAX}) seen
        union
        select wanted.probe, seen.company_id
          from unnest(${ranges.map(({ name }) => name)}::text[],
                      ${ranges.map(({ begins }) => begins)}::text[],
                      ${ranges.map(({ begins }) => begins + LAST_LETTER)}::text[],
                      ${ranges.map(({ inside }) => (inside ? 1 : 0))}::smallint[])
               as wanted(probe, low, high, kinds)
         cross join lateral (
           select company_id from company_keys
            where kind <= 1 and kind <= wanted.kinds
              and key >= wanted.low collate "C" and key < wanted.high collate "C"
            order by key limit ${NEAR_MAX}) seen
        union
        select 'ticker ' || ticker, id from companies
         where ticker is not null and ticker = any (${tickers}::text[])) near
     -- One by one: few are near, but the planner would rather scan all companies.
     cross join lateral (
       select * from companies where id = near.company_id limit 1) company
      left join lateral (
        select company_id from imported_companies
         where company_id = near.company_id and import_id = ${besides}::uuid limit 1) mine on true
     order by company.name_key, company.id`)
}

interface Candidate extends KnownCompany {
  comparable: Comparable
  isMine: boolean
}

/** Groups matches by probe. Each company is one object. */
function grouped(found: Near[]) {
  const candidates = new Map<string, Candidate>()
  const groups = new Map<string, Candidate[]>()
  for (const near of found) {
    const candidate = candidates.get(near.id) ?? {
      ...knownCompany(near),
      comparable: { ...near, site: siteOf(near.website) },
      isMine: near.isMine,
    }
    candidates.set(near.id, candidate)
    const group = groups.get(near.probe)
    if (group) group.push(candidate)
    else groups.set(near.probe, [candidate])
  }
  return groups
}

export const isNameless = ({ name }: Pick<ImportedCompany, 'name'>) =>
  baseSlug(name) === baseSlug(UNKNOWN_COMPANY)

interface StoredCompany {
  id: string
  name: string
  slug: string | null
  website: string | null
}

const knownCompany = ({ id, name, slug }: StoredCompany): KnownCompany => ({
  id,
  name,
  path: companyPath({ id, slug }),
})

/** @returns companies by identity */
export async function companiesKnownAs(
  { db }: DataContext,
  wanted: ReadonlySet<string>,
): Promise<Map<string, KnownCompany>> {
  const known = new Map<string, KnownCompany>()
  const valuesOf = (kind: string) =>
    [...wanted].flatMap((identity) =>
      identity.startsWith(`${kind} `) ? [identity.slice(kind.length + 1)] : [],
    )
  const learn = (found: StoredCompany[]) => {
    for (const company of found)
      for (const identity of identitiesOf(company))
        if (wanted.has(identity) && !known.has(identity)) known.set(identity, knownCompany(company))
  }

  learn(await bySlug(db, valuesOf('slug')))
  for (const { base, ...company } of await byOldSlug(db, valuesOf('slug')))
    if (!known.has(`slug ${base}`)) known.set(`slug ${base}`, knownCompany(company))
  const sites = valuesOf('site')
  learn(await bySite(db, [...new Set([...sites, ...sites.map(domainToUnicode)])]))
  if (valuesOf('name').length > 0)
    learn(
      await db.query<StoredCompany>(sql`
        select id, name, slug, website from companies where name_key = any (${valuesOf('name')}::text[])`),
    )
  const unknown = baseSlug(UNKNOWN_COMPANY)
  if (unknown !== null && valuesOf('nameless').length > 0) learn(await bySlug(db, [unknown]))
  return known
}

/** Finds slugs with any number at the end, as `slugsLike` does. */
const bySlug = (db: DataContext['db'], bases: string[]) =>
  db.query<StoredCompany>(sql`
    select used.* from unnest(${bases}::text[]) as wanted(base)
     cross join lateral (
       select id, name, slug, website from companies
        where slug = wanted.base or (slug > wanted.base || '-0' and slug < wanted.base || '-:')) used
     order by used.slug`)

const byOldSlug = (db: DataContext['db'], bases: string[]) =>
  db.query<StoredCompany & { base: string }>(sql`
    select old.slug as base, company.id, company.name, company.slug, company.website
      from company_old_slugs old join companies company on company.id = old.company_id
     where old.slug = any (${bases}::text[])`)

const bySite = (db: DataContext['db'], sites: string[]) =>
  db.query<StoredCompany>(sql`
    select found.* from unnest(${sites}::text[]) as wanted(site)
     cross join lateral (
       select id, name, slug, website from companies
        where website is not null
          and company_site(website) collate "C" = wanted.site collate "C"
        limit ${SITE_MATCHES_MAX}) found`)
