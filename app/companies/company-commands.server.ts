import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { foldText, slugOf } from '#app/kit/writing/text.ts'
import { type DataContext, transaction } from '#app/platform/database/context.server.ts'
import { RESERVED_SLUGS } from './company.ts'
import type { CompanyFacts } from './edits/company-facts.ts'
import { insertKeys } from './search/key-commands.server.ts'

export interface NewCompany extends Partial<CompanyFacts> {
  name: string
  category: string
  description?: string | null
  website?: string | null
  demo?: boolean
  /** Default: now. */
  createdAt?: Date
}

/** `acme`, or `acme-company` if reserved; null for a name without letters or digits (S13). */
export function baseSlug(name: string): string | null {
  const plain = slugOf(name)
  if (plain === '') return null
  return RESERVED_SLUGS.has(plain) ? `${plain}-company` : plain
}

/** `acme`, or if taken `acme-2`, `acme-3` … */
export function freeSlug(base: string, taken: ReadonlySet<string>) {
  let slug = base
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`
  return slug
}

/** Companies that the site brings along: checks no permission. Slugs in use, now or formerly, get a number. @returns in the order given */
export const insertCompanies = (ctx: DataContext, companies: NewCompany[]) =>
  transaction(ctx, async (ctx) => {
    const bases = companies.map((company) => baseSlug(company.name))
    const taken = await slugsLike(
      ctx,
      bases.filter((base) => base !== null),
    )
    const rows = companies.map((company, i) => {
      const base = bases[i] ?? null
      const slug = base && freeSlug(base, taken)
      if (slug) taken.add(slug)
      return {
        id: randomUUID(),
        name: company.name,
        name_key: foldText(company.name),
        slug,
        category: company.category,
        description: company.description ?? null,
        website: company.website ?? null,
        demo: company.demo ?? false,
        aliases: company.aliases ?? [],
        headquarters: company.headquarters ?? null,
        country: company.country ?? null,
        size: company.size ?? null,
        founded: company.founded ?? null,
        ticker: company.ticker ?? null,
        created_at: (company.createdAt ?? ctx.now()).toISOString(),
      }
    })
    await ctx.db.query(sql`
      insert into companies
        (id, name, name_key, slug, category, description, website, demo, created_at,
         aliases, headquarters, country, size, founded, ticker)
      select id, name, name_key, slug, category, description, website, demo, created_at,
             aliases, headquarters, country, size, founded, ticker
        from json_to_recordset(${JSON.stringify(rows)}::json) as row(
          id uuid, name text, name_key text, slug text, category text, description text, website text,
          demo boolean, created_at timestamptz, aliases text[], headquarters text, country text,
          size text, founded smallint, ticker text)`)
    await insertKeys(ctx.db, rows)
    return rows.map(({ id, slug }) => ({ id, slug }))
  })

/** Those of these slugs in use, now or formerly, plain or with a number. */
export async function slugsLike(ctx: DataContext, slugs: string[]) {
  // After "acme-" comes a digit exactly from "acme-0" up to before "acme-:".
  const alike = sql`slug = wanted.base or (slug > wanted.base || '-0' and slug < wanted.base || '-:')`
  const rows = await ctx.db.query<{ slug: string }>(sql`
    select used.slug from unnest(${slugs}::text[]) as wanted(base)
     cross join lateral (
       select slug from companies where ${alike}
       union all
       select slug from company_old_slugs where ${alike}) used`)
  return new Set(rows.map((row) => row.slug))
}
