/** Tells every process that a company's ratings changed, so it drops its cached pages. */
import sql from 'sql-template-tag'
import { companyPath } from '#app/companies/company.ts'
import { createBroadcaster, createChannel } from '#app/platform/database/channel.server.ts'
import {
  type Database,
  type OpenDatabase,
  PREPARED,
} from '#app/platform/database/database.server.ts'

const CHANNEL = 'rating_news'

/** Payload: a company's id, and its slug if it has one. */
const channel = createChannel(CHANNEL)

/** Sent after the commit, but not for a deleted company. */
export const broadcastRatingChange = createBroadcaster((db, companyIds) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, concat_ws(' ', id, slug))
      from companies where id = any (${companyIds}::uuid[])`,
    PREPARED,
  ),
)

/**
 * Announces a deleted text inside the transaction, so no process can die in between. This process gets the
 * event before anyone gets the response.
 */
export async function broadcastNoteRemoval(db: Database, companyId: string) {
  const [company] = await db.query<{ slug: string | null }>(
    sql`select slug from companies where id = ${companyId}`,
  )
  if (company) await channel.broadcast(db, [[companyId, company.slug ?? ''].join(' ').trim()])
}

/** @param listener gets both paths that lead to the company */
export const onRatingChange = (db: OpenDatabase, listener: (path: string) => void) =>
  channel.subscribe(db, (payload) => {
    const [id = '', slug] = payload.split(' ')
    listener(companyPath({ id, slug: null }))
    if (slug) listener(companyPath({ id, slug }))
  })
