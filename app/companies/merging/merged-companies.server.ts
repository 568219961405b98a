/** Resolves merged companies. D57. */
import sql, { type Sql } from 'sql-template-tag'
import {
  type Database,
  isForeignKeyViolation,
  PREPARED,
} from '#app/platform/database/database.server.ts'
import { isRefusal, Refusal, type RefusalCode } from '#app/platform/http/refusal.ts'
import { COMPANY_REFUSALS } from '../company.ts'

/** The id of the company, or of the one it was merged into. */
export const currentCompanyId = (id: string): Sql => sql`
  coalesce((select company_id from company_merges where id = ${id}::uuid), ${id}::uuid)`

export interface CompanyIds {
  id: string
  /** Includes companies merged into it, because keys may have been made with any of them. */
  all: string[]
}

/** Returns unknown ids as they are. */
export async function companyIds(db: Database, given: string): Promise<CompanyIds> {
  const [found] = await db.query<{ id: string; former: string[] }>(
    sql`
    select current.id, array(select id from company_merges where company_id = current.id) as former
      from (select ${currentCompanyId(given)} as id) current`,
    PREPARED,
  )
  const { id = given, former = [] } = found ?? {}
  return { id, all: [id, ...former] }
}

/** Companies merged into these. */
export const mergedInto = (db: Database, companies: string[]) =>
  db.query<{ id: string; companyId: string }>(
    sql`
    select id, company_id as "companyId" from company_merges
     where company_id = any (${companies}::uuid[])`,
    PREPARED,
  )

const NO_COMPANY = 'no-company'

export const noCompany = (code: RefusalCode = 'not-found') =>
  new Refusal(code, COMPANY_REFUSALS.notFound, { reason: NO_COMPANY })

const isCompanyGone = (error: unknown) =>
  isForeignKeyViolation(error) || (isRefusal(error) && error.reason === NO_COMPANY)

/**
 * Retries `work` with the remaining company if this one was just merged. Otherwise costs nothing.
 * @param work its own transaction
 */
export async function withCurrentCompany<Result, Id extends string | undefined>(
  db: Database,
  companyId: Id,
  work: (companyId: Id | string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(companyId)
  } catch (error) {
    if (companyId === undefined || !isCompanyGone(error)) throw error
    const { id } = await companyIds(db, companyId)
    if (id === companyId) throw error
    return work(id)
  }
}
