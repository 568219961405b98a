/** Reads changes to companies. We never send who made a change, only whether you did. */
import sql, { raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { FACT_COLUMNS, policyOf } from '../company-queries.server.ts'
import { companyIds, noCompany } from '../merging/merged-companies.server.ts'
import {
  type Changes,
  type CompanyFields,
  conflictsWith,
  OPEN_SUGGESTIONS_MAX,
} from './company-edit.ts'
import type { Edit, Suggestion } from './edit-company.contract.ts'

const EDITS_PAGE = 20
const SUGGESTIONS_PAGE = 50

const editColumns = sql`
  edit.id, edit.made_on as "madeOn", edit.status as state,
  case when edit.key is null then 'administrator' else 'member' end as by,
  (select json_agg(field order by field) from jsonb_object_keys(edit.changes) as field) as fields,
  (select name from company_merges where id = edit.merged_from) as formerly,
  edit.status = 'applied' and edit.merged_from is null and (not edit.changes ? 'merged' or exists (
    select from company_merges merge where merge.edit_id = edit.id and merge.undo_until is not null
       and merge.company_id = merge.into_id)) as "canTakeBack",
  edit.changes`

/** The facts of company `c`. */
const fieldsColumn = sql`json_build_object(
  'name', c.name, 'category', c.category, 'description', c.description, 'website', c.website,
  ${raw(FACT_COLUMNS.map(({ field, column }) => `'${field}', c.${column}`).join(', '))},
  'policy', ${policyOf(sql`c`)})`

/**
 * Only administrators and its author can see what a suggestion changes before it's accepted.
 * @throws Refusal not-found
 */
export async function companyEdits(ctx: Ctx, companyId: string, before?: number) {
  const { db, actor } = ctx
  const root = rootOf(ctx)
  const [company] = await db.query(sql`select from companies where id = ${companyId}`)
  if (!company) throw noCompany()
  const keys = root ? (await companyIds(db, companyId)).all.map((id) => editKey(root, id)) : []
  const rows = await db.query<Edit>(sql`
    select ${editColumns}, coalesce(edit.key = any (${keys}::bytea[]), false) as "isMine"
      from company_edits edit
     where edit.company_id = ${companyId} and (${before ?? null}::bigint is null
           or edit.id < ${before ?? null}::bigint)
     order by edit.id desc limit ${EDITS_PAGE + 1}`)
  const edits = rows.slice(0, EDITS_PAGE).map((edit) => ({
    ...edit,
    changes: isShown(edit) || edit.isMine || may.editCompanies(actor) ? edit.changes : null,
  }))
  return { edits, next: rows.length > EDITS_PAGE ? (edits.at(-1)?.id ?? null) : null }
}

const isShown = ({ state }: Edit) => state === 'applied' || state === 'reverted'

/** Pending ones, oldest first. */
export async function openSuggestions(ctx: Ctx, query: { company?: string; after?: number }) {
  const { company = null, after = null } = query
  type Row = Omit<Suggestion, 'conflicts'> & { now: CompanyFields }
  const rows = await ctx.db.query<Row>(sql`
    select ${editColumns}, edit.reason, false as "isMine",
           json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) as company,
           ${fieldsColumn} as now
      from company_edits edit join companies c on c.id = edit.company_id
     where edit.status = 'suggested' and (${company}::uuid is null or c.id = ${company}::uuid)
       and (${after}::bigint is null or edit.id > ${after}::bigint)
     order by edit.id limit ${SUGGESTIONS_PAGE + 1}`)
  const suggestions = rows.slice(0, SUGGESTIONS_PAGE).map(({ now, ...suggestion }) => ({
    ...suggestion,
    conflicts: conflictsWith(now, suggestion.changes as Changes),
  }))
  return {
    suggestions,
    next: rows.length > SUGGESTIONS_PAGE ? (suggestions.at(-1)?.id ?? null) : null,
  }
}

/** Undefined for a deleted company. */
export async function fieldsOf(db: Database, companyId: string) {
  const [company] = await db.query<{ fields: CompanyFields; slug: string | null }>(sql`
    select c.slug, ${fieldsColumn} as fields
      from companies c where c.id = ${companyId}`)
  return company
}

/** Pending suggestions are stored under their authors' keys (D40). Decided ones have no number. */
export const SUGGESTED: OwnRows = {
  table: 'company_edits',
  kind: 'suggestion',
  max: OPEN_SUGGESTIONS_MAX,
}

/** The author's key of suggestions about this company. */
export const editKey = (root: Buffer, companyId: string) =>
  contextKey(root, SUGGESTED.kind, companyId)
