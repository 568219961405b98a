/** Whether a row is the company that it looks like, as administrators decided, so no later list asks again. */
import sql from 'sql-template-tag'
import { foldText } from '#app/kit/writing/text.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { companyPath } from '../company.ts'
import type { KnownCompany } from './import-report.ts'
import { type ImportedCompany, siteOf } from './imported-company.ts'

type Stored = Pick<ServerContext, 'db'>
type Named = Pick<ImportedCompany, 'name' | 'website'>

interface DecidedRow {
  /** The company that it is. */
  same?: KnownCompany
  /** The ids of companies that it isn't. */
  others: Set<string>
}

/** A row that says something else is another question. */
const keyOf = ({ name, website }: Named) => ({ name: foldText(name), site: siteOf(website) ?? '' })
const keyText = ({ name, site }: ReturnType<typeof keyOf>) => `${site} ${name}`

interface FoundDecision {
  name: string
  site: string
  isSame: boolean
  id: string
  companyName: string
  slug: string | null
}

/** @returns what was decided on a row */
export async function decisionsAbout({ db }: Stored, rows: readonly Named[]) {
  const keys = rows.map(keyOf)
  const found = await db.query<FoundDecision>(sql`
    select decision.name, decision.site, is_same as "isSame", company.id, company.name as "companyName", company.slug
      from unnest(${keys.map(({ name }) => name)}::text[], ${keys.map(({ site }) => site)}::text[])
           as wanted(name, site)
      join import_decisions decision using (name, site)
      left join company_merges merge on merge.id = decision.company_id
      join companies company on company.id = coalesce(merge.company_id, decision.company_id)`)
  const decided = new Map<string, DecidedRow>()
  for (const { isSame, id, companyName, slug, ...key } of found) {
    const row = decided.get(keyText(key)) ?? { others: new Set() }
    decided.set(keyText(key), row)
    if (isSame) row.same = { id, name: companyName, path: companyPath({ id, slug }) }
    else row.others.add(id)
  }
  return (row: Named): DecidedRow => decided.get(keyText(keyOf(row))) ?? { others: new Set() }
}

export interface MadeDecision {
  row: Named
  /** The id of the company that it is. */
  same?: string
  /** The ids of companies that it isn't. */
  others: string[]
}

/** Later ones count. */
export async function rememberDecisions({ db }: Stored, made: MadeDecision[]) {
  if (made.length === 0) return
  const decided = new Map(
    made.map(({ row, ...decision }) => [keyText(keyOf(row)), { ...keyOf(row), ...decision }]),
  )
  const rows = [...decided.values()].flatMap(({ name, site, same, others }) => [
    ...(same === undefined ? [] : [{ name, site, companyId: same, isSame: true }]),
    ...others.map((companyId) => ({ name, site, companyId, isSame: false })),
  ])
  const [names, sites] = [rows.map(({ name }) => name), rows.map(({ site }) => site)]
  await db.query(sql`
    delete from import_decisions
     where is_same and (name, site) in (select * from unnest(${names}::text[], ${sites}::text[]))`)
  await db.query(sql`
    insert into import_decisions (name, site, company_id, is_same)
    select * from unnest(${names}::text[], ${sites}::text[],
                         ${rows.map(({ companyId }) => companyId)}::uuid[],
                         ${rows.map(({ isSame }) => isSame)}::boolean[])
    on conflict (name, site, company_id) do update set is_same = excluded.is_same`)
}

/** Forgets those about companies that were deleted. */
export const sweepDecisions = ({ db }: Stored) =>
  db.query(sql`
    delete from import_decisions decision
     where not exists (select from companies where id = decision.company_id)
       and not exists (select from company_merges where id = decision.company_id)`)
