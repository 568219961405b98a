/** Previews a merge. Writes nothing, and doesn't count unpublished ratings. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest, conflict } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import { type CompanyFields, EDIT_FIELD_NAMES } from '../edits/company-edit.ts'
import { FACT_FIELDS, factText } from '../edits/company-facts.ts'
import { policyText } from '../edits/company-policy.ts'
import { fieldsOf } from '../edits/edit-queries.server.ts'
import type { MergePreview } from './merge.contract.ts'
import type { Joining } from './merge-snapshot.server.ts'
import { noCompany } from './merged-companies.server.ts'
import { joinedFacts, MERGE_REFUSALS, type Moving } from './merging.ts'

export interface Mergeable {
  id: string
  fields: CompanyFields
  slug: string | null
}

/** @throws Refusal bad-request for the same company, not-found, conflict if one was merged meanwhile */
export async function bothOf(db: Database, { from, into }: Joining) {
  if (from === into) throw badRequest(MERGE_REFUSALS.itself)
  return { from: await mergeable(db, from), into: await mergeable(db, into) }
}

async function mergeable(db: Database, id: string): Promise<Mergeable> {
  const company = await fieldsOf(db, id)
  if (company) return { id, ...company }
  const [merged] = await db.query<{ name: string; into: string }>(sql`
    select merge.name, company.name as into from company_merges merge
      join companies company on company.id = merge.company_id where merge.id = ${id}`)
  if (!merged) throw noCompany()
  throw conflict(MERGE_REFUSALS.gone(merged.name, merged.into))
}

/** @throws as `bothOf` */
export async function mergePreview({ db }: Ctx, joining: Joining): Promise<MergePreview> {
  const { from, into } = await bothOf(db, joining)
  const former = await db.query<{ slug: string }>(sql`
    select slug from company_old_slugs where company_id = ${from.id} order by slug`)
  const changes = joinedFacts(from.fields, into.fields)
  const differences = differencesOf(from.fields, into.fields)
  return {
    from: named(from),
    into: named(into),
    moving: await movingOf(db, from.id),
    aliases: changes.aliases?.to ?? into.fields.aliases,
    filled: differences.filter(({ into }) => into === null),
    differing: differences.filter(({ into }) => into !== null),
    addresses: [
      ...[from.slug, ...former.map(({ slug }) => slug)].flatMap((slug) =>
        slug === null ? [] : [companyPath({ id: from.id, slug })],
      ),
      companyPath({ id: from.id, slug: null }),
    ],
  }
}

const named = ({ id, fields, slug }: Mergeable) => ({
  id,
  name: fields.name,
  path: companyPath({ id, slug }),
})

/** Fields that differ, as displayed. Names are shown elsewhere. */
function differencesOf(from: CompanyFields, into: CompanyFields) {
  const policy = ({ policy }: CompanyFields) => policy && policyText(policy)
  const pairs = [
    ...(['category', 'description', 'website'] as const).map(
      (field) => [field, from[field], into[field]] as const,
    ),
    ...FACT_FIELDS.filter((field) => field !== 'aliases').map(
      (field) => [field, factText(field, from), factText(field, into)] as const,
    ),
    ['policy', policy(from), policy(into)] as const,
  ]
  return pairs.flatMap(([field, from, into]) =>
    from !== null && from !== into ? [{ field: EDIT_FIELD_NAMES[field], from, into }] : [],
  )
}

/** Uses the company's counters, so it leaves out hidden posts, although they move, too. */
async function movingOf(db: Database, id: string): Promise<Moving> {
  const [moving] = await db.query<Moving>(sql`
    select stats.threads, stats.comments, stats.ratings,
           (select count(*)::integer from job_postings where company_id = ${id}) as jobs,
           (select count(*)::integer from company_replies where company_id = ${id}) as replies,
           (select count(*)::integer from employer_claims where company_id = ${id}
               and status in ('pending', 'approved')) as claims,
           (select count(*)::integer from company_requests where company_id = ${id}) as requests,
           (select count(*)::integer from company_edits where company_id = ${id}
               and status = 'suggested') as suggestions
      from company_stats stats where company_id = ${id}`)
  if (!moving) throw noCompany()
  return moving
}
