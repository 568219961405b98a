/** What an administrator chose about a file, and what follows from it. */
import sql from 'sql-template-tag'
import { cutText } from '#app/kit/writing/text.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { CATEGORY_MAX } from '../edits/company-edit.ts'
import { categoryFor, categoryKeyOf } from './category-mapping.ts'
import { chosenTable, type FileRow } from './file-rows.server.ts'
import { guessColumns, SAMPLE_ROWS, SAMPLES_SHOWN } from './import-columns.ts'
import type { ImportChoices } from './import-commands.server.ts'
import { NO_VALID_DATA } from './import-report.ts'
import type { FileColumns, ImportPlan, SurveyedColumn } from './imports.contract.ts'

/** With more distinct values a column has no categories. */
const VALUES_MAX = 100
const SHOWN_MAX = 80

type Reading = Pick<ServerContext, 'db'>

/** Without chosen columns they are guessed. */
export const tableOf = ({ columns }: Pick<ImportPlan, 'columns'>) => columns && chosenTable(columns)

/**
 * A file's columns, guesses, and samples.
 * @param titled rows read with `AS_TITLED`
 * @throws Refusal bad-request if it can't be read or has no rows
 */
export async function surveyColumns(
  ctx: Reading,
  titled: AsyncIterable<FileRow>,
): Promise<FileColumns> {
  const columns = new Map<string, { samples: string[]; values: Map<string, number> | null }>()
  let rows = 0
  for await (const { given } of titled) {
    rows++
    if (typeof given !== 'object' || given === null) continue
    for (const [title, value] of Object.entries(given)) {
      const column = columns.get(title) ?? { samples: [], values: new Map<string, number>() }
      columns.set(title, column)
      const cell = typeof value === 'string' ? value.trim() : value == null ? '' : String(value)
      if (cell === '') continue
      if (column.samples.length < SAMPLE_ROWS) column.samples.push(cutText(cell, SHOWN_MAX))
      if (cell.length > CATEGORY_MAX) continue
      column.values?.set(cell, (column.values.get(cell) ?? 0) + 1)
      if ((column.values?.size ?? 0) > VALUES_MAX) column.values = null
    }
  }
  if (rows === 0) throw badRequest(NO_VALID_DATA)
  const list = [...columns.entries()].map(([title, column]) => ({ title, ...column }))
  const fields = guessColumns(list)
  const { here, chosen } = await storedCategories(ctx)
  return {
    rows,
    columns: list.map(
      ({ title, samples, values }, i): SurveyedColumn => ({
        title,
        field: fields[i] ?? null,
        samples: samples.slice(0, SAMPLES_SHOWN),
        values: values && [...values].map(([value, count]) => ({ value, count })),
      }),
    ),
    categories: [...here.values()],
    chosen: Object.fromEntries(chosen),
  }
}

/** Categories without a choice are mapped as proposed. */
export async function choicesOf(
  ctx: Reading,
  { categories = {}, isNew = [] }: Pick<Partial<ImportPlan>, 'categories' | 'isNew'>,
): Promise<ImportChoices> {
  const { here, chosen } = await storedCategories(ctx)
  for (const [given, category] of Object.entries(categories))
    chosen.set(categoryKeyOf(given), category)
  const decided = new Set(isNew)
  return {
    isNew: (row) => decided.has(row),
    categoryOf: (given) => categoryFor(given, { chosen, here }),
  }
}

async function storedCategories({ db }: Reading) {
  const here = await db.query<{ name: string }>(sql`select name from categories order by name`)
  const chosen = await db.query<{ given: string; category: string }>(
    sql`select given, category from import_categories`,
  )
  return {
    here: new Map(here.map(({ name }) => [categoryKeyOf(name), name])),
    chosen: new Map(chosen.map(({ given, category }) => [given, category])),
  }
}

/** Proposed again for the next list. */
export async function rememberCategories({ db }: Reading, categories: Record<string, string>) {
  const byKey = new Map(
    Object.entries(categories).map(([given, category]) => [categoryKeyOf(given), category]),
  )
  byKey.delete('')
  if (byKey.size === 0) return
  await db.query(sql`
    insert into import_categories (given, category)
    select * from unnest(${[...byKey.keys()]}::text[], ${[...byKey.values()]}::text[])
    on conflict (given) do update set category = excluded.category`)
}
