/** Reads the public numbers about benefits. Nothing here reads an entry. */
import sql from 'sql-template-tag'
import { currentCompanyId, noCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { BenefitCell } from './benefit-cells.ts'
import type { CompanyBenefits } from './benefits.contract.ts'
import { BENEFITS } from './benefits.ts'

/** @throws Refusal not-found */
export async function companyBenefits(db: Database, companyId: string): Promise<CompanyBenefits> {
  const [company] = await db.query<{ id: string; formerIds: string[] }>(sql`
    select id, array(select id from company_merges where company_id = companies.id order by id) as "formerIds"
      from companies
     where id = ${currentCompanyId(companyId)}`)
  if (!company) throw noCompany()
  const cells = await db.query<Omit<BenefitCell, 'members'>>(sql`
    select distinct on (kind) kind, year, entries, shares, median, surge_until::text as "surgeUntil"
      from benefit_cells where company_id = ${company.id}
     order by kind, year desc`)
  const medianOf = (wanted: BenefitCell['kind']) =>
    cells
      .filter(({ kind }) => kind === wanted)
      .map(({ year, entries, median }) => ({ year, entries, median: median ?? 0 }))[0] ?? null
  const shown = cells.find(({ kind }) => kind === 'shares')
  // A benefit that's new in the list has no share until the next publication.
  const benefits = BENEFITS.flatMap(({ key }) => {
    const [have, use] = shown?.shares?.[key] ?? []
    return have === undefined || use === undefined ? [] : [{ benefit: key, have, use }]
  })
  return {
    formerIds: company.formerIds,
    shares: shown ? { year: shown.year, entries: shown.entries, benefits } : null,
    leave: medianOf('leave'),
    daysOff: medianOf('daysOff'),
    surgeUntil: shown?.surgeUntil ?? null,
  }
}
