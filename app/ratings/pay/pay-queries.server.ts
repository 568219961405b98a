/** Reads the public numbers about pay. Nothing here reads an entry. */
import sql, { type Sql } from 'sql-template-tag'
import { companyPath } from '#app/companies/company.ts'
import { currentCompanyId, noCompany } from '#app/companies/merging/merged-companies.server.ts'
import { atMost, type Database } from '#app/platform/database/database.server.ts'
import type { CompanyPay, PayNumbersView, TitlePay } from './pay.contract.ts'
import { CELLS_MAX, MEASURES } from './pay.ts'

const numbers = sql`year, currency, entries, verified, quartiles`

/** The last year of each cell. @param apart what tells cells apart, besides the currency */
const latestCells = (apart: Sql, which: Sql) => sql`
  select distinct on (${apart}, currency) ${apart}, ${numbers} from pay_cells
   where ${which} order by ${apart}, currency, year desc`

/** @throws Refusal not-found */
export async function companyPay(db: Database, companyId: string): Promise<CompanyPay> {
  const [company] = await db.query<{ id: string; formerIds: string[] }>(sql`
    select id, array(select id from company_merges where company_id = companies.id order by id) as "formerIds"
      from companies
     where id = ${currentCompanyId(companyId)}`)
  if (!company) throw noCompany()
  const cells = await db.query<PayNumbersView & { title: string | null }>(sql`
    select * from (${latestCells(sql`title`, sql`company_id = ${company.id}`)}) latest
     order by title nulls first, entries desc, currency limit ${atMost(CELLS_MAX)}`)
  return { formerIds: company.formerIds, cells }
}

export async function titlePay(db: Database, title: string): Promise<TitlePay> {
  const areas = await db.query<PayNumbersView & { area: string }>(sql`
    select * from (${latestCells(sql`area`, sql`company_id is null and title = ${title}`)}) latest
     order by area, entries desc, currency limit ${atMost(CELLS_MAX)}`)
  const companies = await db.query<PayNumbersView & { name: string; slug: string; id: string }>(sql`
    select companies.id, name, slug, ${numbers}
      from (${latestCells(sql`company_id`, sql`company_id is not null and title = ${title}`)}) latest
      join companies on companies.id = company_id
     order by entries desc, name_key, currency limit ${atMost(CELLS_MAX)}`)
  return {
    areas,
    companies: companies.map(({ id, name, slug, ...cell }) => ({
      ...cell,
      company: { name, path: companyPath({ id, slug }) },
    })),
  }
}

const HEADER = [
  ...['year', 'title', 'currency', 'entries', 'verified_quarters'],
  ...MEASURES.flatMap((measure) => [1, 2, 3].map((nth) => `${measure}_q${nth}`)),
]

/** All years. Every value is a number, or from a list. RFC 4180. @throws Refusal not-found */
export async function companyPayCsv(db: Database, companyId: string): Promise<string> {
  await companyPay(db, companyId)
  const cells = await db.query<PayNumbersView & { title: string | null }>(sql`
    select title, ${numbers} from pay_cells where company_id = ${currentCompanyId(companyId)}
     order by year, title nulls first, currency`)
  const rows = cells.map(({ year, title, currency, entries, verified, quartiles }) => [
    ...[year, title ?? '', currency, entries, verified],
    ...MEASURES.flatMap((measure) => quartiles[measure]),
  ])
  return [HEADER, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}
