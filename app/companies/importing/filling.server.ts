/** Fills in existing companies from rows about them, and undoes what an import filled in. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { broadcastCompanyChanges, recordChanges } from '../company-changes.server.ts'
import { FACT_COLUMNS } from '../company-queries.server.ts'
import { type KeyedCompany, rewriteKeys } from '../search/key-commands.server.ts'
import { type CellOutcomes, type Facts, FILL_FIELDS, type FillField } from './filling.ts'

export interface GivenFacts {
  id: string
  facts: Facts
}

const COLUMNS = FILL_FIELDS.map(
  (field) => FACT_COLUMNS.find((fact) => fact.field === field)?.column ?? field,
)
const columns = raw(COLUMNS.join(', '))
/** Fields with their columns. */
const names = sql`unnest(${[...FILL_FIELDS]}::text[], ${COLUMNS}::text[]) as names(field, col)`

const jsonOf = (importedFacts: GivenFacts[]) =>
  JSON.stringify(importedFacts.map(({ id, facts }) => ({ id, facts })))

/** `cell` has each given fact next to the company's own. */
const cellsOf = (importedFacts: GivenFacts[], replaces: readonly FillField[], lock: Sql) => sql`
  with given as (
    select at, (row ->> 'id')::uuid as id, field, col, row -> 'facts' -> field as value
      from jsonb_array_elements(${jsonOf(importedFacts)}::text::jsonb) with ordinality as rows(row, at)
      join ${names} on row -> 'facts' ? field),
  here as (
    select c.id, to_jsonb(c) as was from companies c
     where id in (select id from given) order by id ${lock}),
  cell as (
    select at, id, field, col, was -> col as before, value,
           case when was -> col = value then 'equal'
                when was -> col in ('null', '[]') then 'filled'
                when field = any (${[...replaces]}::text[]) then 'replaced'
                else 'kept' end as outcome
      from given join here using (id))`

/** Writes `made`, which has `facts` by column. */
const writing = sql`
  update companies c
     set (${columns}) = (select ${columns} from jsonb_populate_record(c, made.facts))
    from made where c.id = made.id
  returning c.id, c.name, c.slug, c.aliases, c.category`

type Written = KeyedCompany & { slug: string | null; fields: string[] }

async function announce(db: Database, companies: Written[]) {
  const refound = companies.filter(({ fields }) =>
    fields.some((field) => field === 'aliases' || field === 'category'),
  )
  if (refound.length > 0) await rewriteKeys(db, refound)
  await broadcastCompanyChanges(db, companies)
}

interface Cell {
  /** The fact's position in `importedFacts`, from 1. */
  at: number
  field: FillField
  outcome: NonNullable<CellOutcomes[FillField]>
}

function outcomesIn(importedFacts: GivenFacts[], cells: Cell[]): CellOutcomes[] {
  const cellOutcomes: CellOutcomes[] = importedFacts.map(() => ({}))
  for (const { at, field, outcome } of cells)
    Object.assign(cellOutcomes[at - 1] as CellOutcomes, { [field]: outcome })
  return cellOutcomes
}

/** What `fillIn` would do. @returns one entry for each given company, in order */
export async function outcomesOf(
  { db }: DataContext,
  importedFacts: GivenFacts[],
  replaces: readonly FillField[],
): Promise<CellOutcomes[]> {
  if (importedFacts.length === 0) return []
  const cells = await db.query<Cell>(sql`
    ${cellsOf(importedFacts, replaces, empty)} select at::integer, field, outcome from cell`)
  return outcomesIn(importedFacts, cells)
}

interface FillSettings {
  replaces: readonly FillField[]
  importId: string | null
}

/** A company was merged or deleted after the import had found it. */
export class CompanyGone extends Error {}

/**
 * Fills what's empty, and replaces what differs in these fields. The statement that writes decides, so it sees what others
 * wrote meanwhile. @param importedFacts has each field of a company at most once @returns one entry for each given
 * company, in
 * order @throws CompanyGone
 */
export async function fillIn(
  ctx: DataContext,
  importedFacts: GivenFacts[],
  { replaces, importId }: FillSettings,
): Promise<CellOutcomes[]> {
  if (importedFacts.length === 0) return []
  const [found] = await ctx.db.query<{
    areHere: boolean
    cells: Cell[]
    made: (Written & { changes: object })[]
  }>(sql`
    ${cellsOf(importedFacts, replaces, sql`for no key update`)},
    made as (
      select id, jsonb_object_agg(col, value) as facts, json_agg(field) as fields,
             jsonb_object_agg(field, jsonb_build_object('from', before, 'to', value)) as changes
        from cell where outcome in ('filled', 'replaced') group by id),
    written as (${writing})
    select (select count(distinct id) from given) = (select count(*) from here) as "areHere",
           (select coalesce(json_agg(cell), '[]') from (select at, field, outcome from cell) cell) as cells,
           (select coalesce(json_agg(made), '[]')
              from (select * from written join (select id, fields, changes from made) made using (id)) made
           ) as made`)
  const { areHere = true, cells = [], made = [] } = found ?? {}
  if (!areHere) throw new CompanyGone()
  await recordChanges(
    ctx,
    made.map(({ id, changes }) => ({ companyId: id, changes })),
    { importId },
  )
  await announce(ctx.db, made)
  return outcomesIn(importedFacts, cells)
}

/**
 * Undoes what an import filled in at these companies, unless someone has changed it since. A change that's only
 * partly undone becomes two. The caller must have locked the companies.
 * @returns how many fields and companies
 */
export async function putFactsBack({ db, actor }: Ctx, importId: string, ids: string[]) {
  const written = await db.query<Written>(sql`
    with cell as (
      select edit.id as edit, c.id, field, change, col, to_jsonb(c) -> col = change -> 'to' as is_back
        from company_edits edit join companies c on c.id = edit.company_id
       cross join jsonb_each(edit.changes) as its(field, change) join ${names} using (field)
       where edit.import_id = ${importId} and edit.status = 'applied' and edit.merged_from is null
         and c.id = any (${ids}::uuid[])),
    made as (
      select id, jsonb_object_agg(col, change -> 'from') as facts, json_agg(field) as fields
        from cell where is_back group by id),
    written as (${writing}),
    split as (
      select edit, jsonb_object_agg(field, change) filter (where is_back) as back,
             jsonb_object_agg(field, change) filter (where not is_back) as kept
        from cell group by edit),
    rest as (
      update company_edits set changes = kept from split where id = edit and back is not null and kept is not null),
    whole as (
      update company_edits
         set status = 'reverted', decided_by = ${actor.account?.id}, decided_name = ${actor.account?.username}
        from split where id = edit and kept is null),
    part as (
      insert into company_edits (company_id, changes, reason, status, made_on, decided_by, decided_name, import_id)
      select company_id, back, reason, 'reverted', made_on, ${actor.account?.id}, ${actor.account?.username}, import_id
        from split join company_edits on id = edit where back is not null and kept is not null)
    select written.*, fields from written join made using (id)`)
  await announce(db, written)
  return { companies: written.length, fields: written.flatMap(({ fields }) => fields).length }
}
