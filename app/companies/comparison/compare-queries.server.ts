import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { slugKey } from '#app/kit/writing/text.ts'
import type { ComparedCompany } from '../company.contract.ts'
import { BREAKDOWN_MIN } from '../company.ts'
import { companiesWithStats, factColumns, listColumns } from '../company-queries.server.ts'
import { policyColumn } from '../edits/policy-queries.server.ts'
import { referencesIn } from './comparison.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param text slugs (former ones too) or ids, separated by commas; the first four count */
export async function compareCompanies({ db }: Ctx, text: string) {
  const references = referencesIn(text)
  const keys = references.map(slugKey)
  const ids = keys.filter((key) => UUID.test(key))
  const rows = await db.query<ComparedCompany & { at: number }>(sql`
    select asked.at, ${listColumns}, ${factColumns}, s.ratings,
           json_build_object('rto', s.rto, 'dei', s.dei, 'workLife', s.work_life,
                             'culture', s.culture) as "categoryRatings",
           ${policyColumn} as policy,
           (select case when count(office_days) >= ${BREAKDOWN_MIN}
                     then json_build_object('mean', avg(office_days)::float8,
                                            'ratings', count(office_days)) end
              from public_ratings where company_id = c.id) as "officeDays"
      from unnest(${keys}::text[]) with ordinality as asked(key, at)
      join ${companiesWithStats} on c.id = coalesce(
        (select id from companies where slug = asked.key),
        (select company_id from company_old_slugs where slug = asked.key),
        (select id from companies
          where id = any(${ids}::uuid[]) and id::text = asked.key),
        (select company_id from company_merges
          where id = any(${ids}::uuid[]) and id::text = asked.key))
     order by asked.at`)
  const found = new Set(rows.map(({ at }) => Number(at)))
  const seen = new Set<string>()
  return {
    // A slug and an id may name the same company.
    companies: rows.filter(({ id }) => !seen.has(id) && seen.add(id)).map(({ at, ...row }) => row),
    unknown: references.filter((_, i) => !found.has(i + 1)),
  }
}
