import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** When the company goes; who may was asked before. @returns how many went */
export async function removeJobsOf(db: Database, companyId: string) {
  const gone = await db.query(
    sql`delete from job_postings where company_id = ${companyId} returning id`,
  )
  return gone.length
}
