/** Writes of companies: permit, check, write. */
import sql from 'sql-template-tag'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import { foldText, RESERVED_SLUGS, slugOf } from './company.ts'

export interface NewCompany {
  name: string
  category: string
  description?: string | null
  website?: string | null
  demo?: boolean
  /** Now, when absent. */
  createdAt?: Date
}

/** What is searched, a line each, so that no text matches across two of them. */
export const searchTextOf = (company: Pick<NewCompany, 'name' | 'category' | 'description'>) =>
  foldText([company.name, company.description ?? '', company.category].join('\n'))

/** `acme`, or `acme-2`, `acme-3` … when taken; `acme` reserved is `acme-company` (decision 13). */
export function freeSlug(name: string, isTaken: (slug: string) => boolean): string | null {
  const plain = slugOf(name)
  if (plain === '') return null
  const base = RESERVED_SLUGS.has(plain) ? `${plain}-company` : plain
  let slug = base
  for (let n = 2; isTaken(slug); n++) slug = `${base}-${n}`
  return slug
}

/**
 * Adds companies that the site itself brings along; nobody's permission is asked.
 * Slugs that are taken, now or formerly, get a number.
 */
export const insertCompanies = (ctx: ServerContext, companies: NewCompany[]) =>
  transaction(ctx, async (ctx) => {
    const taken = await slugsLike(
      ctx,
      companies.map((company) => slugOf(company.name)),
    )
    const rows = companies.map((company) => {
      const slug = freeSlug(company.name, (slug) => taken.has(slug))
      if (slug) taken.add(slug)
      return {
        name: company.name,
        name_key: foldText(company.name),
        slug,
        category: company.category,
        description: company.description ?? null,
        website: company.website ?? null,
        demo: company.demo ?? false,
        search_text: searchTextOf(company),
        created_at: (company.createdAt ?? ctx.now()).toISOString(),
      }
    })
    await ctx.db.query(sql`
      insert into companies
        (name, name_key, slug, category, description, website, demo, search_text, created_at)
      select name, name_key, slug, category, description, website, demo, search_text, created_at
        from json_to_recordset(${JSON.stringify(rows)}::json) as row(
          name text, name_key text, slug text, category text, description text, website text,
          demo boolean, search_text text, created_at timestamptz)`)
  })

/** Slugs in use that begin like one of these. */
async function slugsLike(ctx: ServerContext, slugs: string[]) {
  const rows = await ctx.db.query<{ slug: string }>(sql`
    select used.slug from unnest(${slugs}::text[]) as wanted(slug)
      join (select slug from companies union all select slug from company_old_slugs) used
        on starts_with(used.slug, wanted.slug)
     where wanted.slug <> '' and used.slug is not null`)
  return new Set(rows.map((row) => row.slug))
}
