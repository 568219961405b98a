import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { keysOf } from './company-keys.ts'

export interface KeyedCompany {
  id: string
  name: string
  aliases?: string[]
  category: string
}

/** Adds keys of companies that have none. */
export async function insertKeys(db: Database, companies: KeyedCompany[]) {
  const keys = companies.flatMap((company) =>
    keysOf(company).map((key) => ({ ...key, company_id: company.id })),
  )
  // Locks the counters, because a concurrent change wouldn't update these keys' class.
  await db.query(sql`
    with locked as (
      select company_id, company_fame(threads, comments, ratings) as fame from company_stats
       where company_id = any(${companies.map(({ id }) => id)}::uuid[])
       order by company_id for no key update)
    insert into company_keys (company_id, key, kind, fame)
    select company_id, key, kind, fame
      from json_to_recordset(${JSON.stringify(keys)}::json)
           as made(company_id uuid, key text, kind smallint) join locked using (company_id)`)
}

/** Runs after a new name or category. The caller has locked the companies' rows. */
export async function rewriteKeys(db: Database, companies: KeyedCompany[]) {
  await db.query(sql`
    delete from company_keys where company_id = any(${companies.map(({ id }) => id)}::uuid[])`)
  await insertKeys(db, companies)
}

const PORTION = 500
const LONGEST_MS = 30_000

/** Makes keys for companies older than keys. Works half a minute at a time, then lets other tasks run. */
export async function makeMissingKeys(db: Database) {
  const end = performance.now() + LONGEST_MS
  while ((await makePortion(db)) && performance.now() < end);
}

/** @returns whether there was anything to do */
const makePortion = (db: Database) =>
  db.transaction(async (db) => {
    const left = await db.query<{ id: string }>(sql`
      delete from companies_without_keys where company_id in (
        select company_id from companies_without_keys order by company_id limit ${PORTION})
      returning company_id as id`)
    if (left.length === 0) return false
    // A company that was renamed meanwhile already has keys.
    const companies = await db.query<KeyedCompany>(sql`
      select id, name, aliases, category from companies
       where id = any(${left.map(({ id }) => id)}::uuid[]) order by id for no key update`)
    await rewriteKeys(db, companies)
    return true
  })
