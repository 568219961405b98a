/** Tells every process to drop its cached pages of a company. */
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { companyPath } from './company.ts'

/** Payload: paths, separated by spaces. */
const channel = createChannel('company_news')

/** Sent with the caller's commit, and in this process at once. @param slugs former and current ones */
export function publishCompany(db: Database, id: string, slugs: (string | null)[]) {
  const paths = [null, ...slugs.filter((slug) => slug !== null)].map((slug) =>
    companyPath({ id, slug }),
  )
  return channel.publish(db, [paths.join(' ')])
}

/** After a deletion: lists of companies are everywhere, so all cached pages are dropped. */
export const publishCompanyLoss = (db: Database) => channel.publish(db, ['/'])

/** @param listener gets each current or former path of the company */
export const onCompanyChange = (db: OpenDatabase, listener: (path: string) => void) =>
  channel.subscribe(db, (paths) => {
    for (const path of paths.split(' ')) listener(path)
  })
