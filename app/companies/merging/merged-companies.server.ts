/** Where companies that were merged are found now. D57. */
import sql, { type Sql } from 'sql-template-tag'
import { type Database, isDatabaseError, PREPARED } from '#app/platform/database/database.server.ts'

/** The id of a company, or of the one that it became part of. */
export const livingCompany = (id: string): Sql => sql`
  coalesce((select company_id from company_merges where id = ${id}::uuid), ${id}::uuid)`

export interface CompanyIds {
  id: string
  /** That one, and those of companies that became part of it: what keys may have been made with. */
  all: string[]
}

/** Also of a company that was never there. */
export async function companyIds(db: Database, asked: string): Promise<CompanyIds> {
  const [found] = await db.query<{ id: string; former: string[] }>(
    sql`
    select living.id, array(select id from company_merges where company_id = living.id) as former
      from (select ${livingCompany(asked)} as id) living`,
    PREPARED,
  )
  const { id = asked, former = [] } = found ?? {}
  return { id, all: [id, ...former] }
}

/** Those that became part of these. */
export const mergedInto = (db: Database, companies: string[]) =>
  db.query<{ id: string; companyId: string }>(
    sql`
    select id, company_id as "companyId" from company_merges
     where company_id = any (${companies}::uuid[])`,
    PREPARED,
  )

const FOREIGN_KEY_GONE = '23503'
const isLost = (error: unknown) =>
  [400, 404].includes((error as { status?: number }).status ?? 0) ||
  isDatabaseError(error, FOREIGN_KEY_GONE)

/**
 * What somebody gives a company that becomes part of another one at this very moment is given to that.
 * Whoever finds their company costs nothing more.
 * @param work a transaction of its own
 */
export async function withCurrentCompany<Result, Id extends string | undefined>(
  db: Database,
  companyId: Id,
  work: (companyId: Id | string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(companyId)
  } catch (error) {
    if (companyId === undefined || !isLost(error)) throw error
    const { id } = await companyIds(db, companyId)
    if (id === companyId) throw error
    return work(id)
  }
}
