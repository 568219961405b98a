/** Tells every process that a page about a company is not as it was, so that it drops what it kept. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { companyPath } from './company.ts'

const CHANNEL = 'company_news'

/** Heard after the commit of the caller's transaction. @param slugs those it had and has */
export const tellOfCompany = (db: Database, id: string, slugs: (string | null)[]) =>
  db.query(sql`
    select pg_notify(${CHANNEL}, ${[
      companyPath({ id, slug: null }),
      ...slugs.filter((slug) => slug !== null).map((slug) => companyPath({ id, slug })),
    ].join(' ')})`)

/** @param hear gets each path under which the company was, or is, to be found */
export const hearOfCompanies = (db: OpenDatabase, hear: (path: string) => void) =>
  db.listen(CHANNEL, (payload) => {
    for (const path of payload?.split(' ') ?? []) hear(path)
  })
