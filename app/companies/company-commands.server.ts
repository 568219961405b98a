import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { foldText, slugOf } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { RESERVED_SLUGS } from './company.ts'
import { FACT_COLUMNS } from './company-queries.server.ts'
import { type CompanyFacts, NO_FACTS } from './edits/company-facts.ts'
import { noCompany } from './merging/merged-companies.server.ts'
import { insertKeys } from './search/key-commands.server.ts'

export interface NewCompany extends Partial<CompanyFacts> {
  id?: string
  name: string
  category: string
  description?: string | null
  website?: string | null
  isDemo?: boolean
  /** Default: now. */
  createdAt?: Date
}

/**
 * Locks the company against deletion and merging until the transaction ends.
 * @throws Refusal not-found, or `code`
 */
export async function lockCompany(db: Database, id: string, code?: 'bad-request') {
  const [company] = await db.query<{
    id: string
    name: string
    slug: string | null
    website: string | null
  }>(sql`select id, name, slug, website from companies where id = ${id} for key share`)
  if (!company) throw noCompany(code)
  return company
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

const INSERTED = raw(
  [
    ...[
      'id',
      'name',
      'name_key',
      'slug',
      'category',
      'description',
      'website',
      'demo',
      'created_at',
    ],
    ...FACT_COLUMNS.map(({ column }) => column),
  ].join(', '),
)

/**
 * Adds companies without checking permissions. The form, imports and starter data have done that. Taken slugs, current or
 * former, get a number.
 * @returns their paths, in the given order
 */
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
        id: company.id ?? randomUUID(),
        name: company.name,
        name_key: foldText(company.name),
        slug,
        category: company.category,
        description: company.description ?? null,
        website: company.website ?? null,
        demo: company.isDemo ?? false,
        created_at: (company.createdAt ?? ctx.now()).toISOString(),
        aliases: company.aliases ?? [],
        ...Object.fromEntries(
          FACT_COLUMNS.map(({ field, column }) => [column, company[field] ?? NO_FACTS[field]]),
        ),
      }
    })
    await ctx.db.query(sql`
      insert into companies (${INSERTED})
      select ${INSERTED} from json_populate_recordset(null::companies, ${JSON.stringify(rows)}::json)`)
    await insertKeys(ctx.db, rows)
    return rows.map(({ id, slug }) => ({ id, slug }))
  })

/** Finds which slugs are in use, now or formerly, plain or with a number. */
export async function slugsLike(ctx: DataContext, slugs: string[]) {
  // A text has a digit right after "acme-" if it sorts from "acme-0" up to, but not including, "acme-:".
  const alike = sql`slug = wanted.base or (slug > wanted.base || '-0' and slug < wanted.base || '-:')`
  const rows = await ctx.db.query<{ slug: string }>(sql`
    select used.slug from unnest(${slugs}::text[]) as wanted(base)
     cross join lateral (
       select slug from companies where ${alike}
       union all
       select slug from company_old_slugs where ${alike}) used`)
  return new Set(rows.map((row) => row.slug))
}
