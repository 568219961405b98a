/** Tells every process that a page about a company is not as it was, so that it drops what it kept. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { createLocalChannel } from '../../server/local-channel.server.ts'
import { companyPath } from './company.ts'

const CHANNEL = 'company_news'

const local = createLocalChannel<string[]>()

/**
 * Published with the commit of the caller's transaction, in this process at once.
 * @param slugs those it had and has
 */
export async function publishCompany(db: Database, id: string, slugs: (string | null)[]) {
  const paths = [
    companyPath({ id, slug: null }),
    ...slugs.filter((slug) => slug !== null).map((slug) => companyPath({ id, slug })),
  ]
  local.publishAfterCommit(db, paths)
  await db.query(sql`select pg_notify(${CHANNEL}, ${paths.join(' ')})`)
}

/** Of one that is gone: lists of companies are everywhere, so all that was kept is dropped. */
export async function publishCompanyLoss(db: Database) {
  local.publishAfterCommit(db, ['/'])
  await db.query(sql`select pg_notify(${CHANNEL}, '/')`)
}

/** @param listener gets each path under which the company was, or is, to be found */
export async function onCompanyChange(db: OpenDatabase, listener: (path: string) => void) {
  local.subscribe(db, (paths) => {
    for (const path of paths) listener(path)
  })
  await db.listen(CHANNEL, (payload) => {
    for (const path of payload?.split(' ') ?? []) listener(path)
  })
}
