/** Tells every process that a page about a company is not as it was, so that it drops what it kept. */
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { companyPath } from './company.ts'

/** Paths, which hold no space. */
const channel = createChannel('company_news')

/**
 * Published with the commit of the caller's transaction, in this process at once.
 * @param slugs those it had and has
 */
export function publishCompany(db: Database, id: string, slugs: (string | null)[]) {
  const paths = [null, ...slugs.filter((slug) => slug !== null)].map((slug) =>
    companyPath({ id, slug }),
  )
  return channel.publish(db, [paths.join(' ')])
}

/** Of one that is gone: lists of companies are everywhere, so all that was kept is dropped. */
export const publishCompanyLoss = (db: Database) => channel.publish(db, ['/'])

/** @param listener gets each path under which the company was, or is, to be found */
export const onCompanyChange = (db: OpenDatabase, listener: (path: string) => void) =>
  channel.subscribe(db, (paths) => {
    for (const path of paths.split(' ')) listener(path)
  })
