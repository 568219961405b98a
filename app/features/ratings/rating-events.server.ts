/** Tells every process that a company's ratings changed, so that it drops the pages it has kept. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { createLocalChannel } from '../../server/local-channel.server.ts'
import { createPublisher } from '../../server/publisher.server.ts'
import { companyPath } from '../companies/company.ts'

const CHANNEL = 'rating_news'

const local = createLocalChannel<{ id: string; slug: string | null }>()

/** After the commit; nothing is told of a company that is gone. */
export const publishRatings = createPublisher((db, companyIds) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, concat_ws(' ', id, slug))
      from companies where id = any (${companyIds}::uuid[])`,
    { name: 'tell of ratings' },
  ),
)

/**
 * Words about a company are gone: told in the transaction that takes them away, so that no process can
 * die between the two, and heard in this one before anybody has the answer.
 */
export async function publishNoteRemoval(db: Database, companyId: string) {
  const [company] = await db.query<{ slug: string | null }>(
    sql`select slug from companies where id = ${companyId}`,
  )
  if (!company) return
  local.publishAfterCommit(db, { id: companyId, slug: company.slug })
  await db.query(
    sql`select pg_notify(${CHANNEL}, ${[companyId, company.slug ?? ''].join(' ').trim()})`,
  )
}

/** @param listener gets both paths that lead to the company */
export async function onRatingChange(db: OpenDatabase, listener: (path: string) => void) {
  const publishBoth = ({ id, slug }: { id: string; slug: string | null }) => {
    listener(companyPath({ id, slug: null }))
    if (slug) listener(companyPath({ id, slug }))
  }
  local.subscribe(db, publishBoth)
  await db.listen(CHANNEL, (payload) => {
    const [id, slug = null] = payload?.split(' ') ?? []
    if (id) publishBoth({ id, slug })
  })
}
