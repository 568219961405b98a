/** docs/what-is-kept.md names every table and column of a site, and no others. */
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { withDatabase } from './support/database.ts'

const { outside } = withDatabase()

/** As the page says it: `follows: key# person_sealed* company_id`. The marks say what's keyed and what's sealed. */
const named = [
  ...readFileSync('docs/what-is-kept.md', 'utf8').matchAll(/`([a-z_]+): ([^`]+)`/g),
].flatMap(([, table, columns = '']) =>
  columns.split(' ').map((column) => `${table}.${column.replace(/[#*]$/, '')}`),
)

test('the page of what’s kept names each table and column of the database once', async () => {
  const kept = await outside().query<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema not in ('pg_catalog', 'information_schema')`)
  expect(named.toSorted()).toEqual(kept.map(({ name }) => name).toSorted())
})
