/** Tells every process that a page about a company is not as it was, so that it drops what it kept. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { createHere } from '../../server/here.server.ts'
import { companyPath } from './company.ts'

const CHANNEL = 'company_news'

const here = createHere<string[]>()

/**
 * Heard after the commit of the caller's transaction, in this process at once.
 * @param slugs those it had and has
 */
export async function publishCompany(db: Database, id: string, slugs: (string | null)[]) {
  const paths = [
    companyPath({ id, slug: null }),
    ...slugs.filter((slug) => slug !== null).map((slug) => companyPath({ id, slug })),
  ]
  here.tellAfterCommit(db, paths)
  await db.query(sql`select pg_notify(${CHANNEL}, ${paths.join(' ')})`)
}

/** Of one that is gone: lists of companies are everywhere, so all that was kept is dropped. */
export async function publishCompanyLoss(db: Database) {
  here.tellAfterCommit(db, ['/'])
  await db.query(sql`select pg_notify(${CHANNEL}, '/')`)
}

/** @param hear gets each path under which the company was, or is, to be found */
export async function hearOfCompanies(db: OpenDatabase, hear: (path: string) => void) {
  here.hear(db, (paths) => {
    for (const path of paths) hear(path)
  })
  await db.listen(CHANNEL, (payload) => {
    for (const path of payload?.split(' ') ?? []) hear(path)
  })
}
