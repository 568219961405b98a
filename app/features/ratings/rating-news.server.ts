/** Tells every process that a company's ratings changed, so that it drops the pages it has kept. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { createHere } from '../../server/here.server.ts'
import { createTelling } from '../../server/telling.server.ts'
import { companyPath } from '../companies/company.ts'

const CHANNEL = 'rating_news'

const here = createHere<{ id: string; slug: string | null }>()

/** After the commit; nothing is told of a company that is gone. */
export const publishRatings = createTelling((db, companyIds) =>
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
  here.tellAfterCommit(db, { id: companyId, slug: company.slug })
  await db.query(
    sql`select pg_notify(${CHANNEL}, ${[companyId, company.slug ?? ''].join(' ').trim()})`,
  )
}

/** @param hear gets both paths that lead to the company */
export async function hearOfRatings(db: OpenDatabase, hear: (path: string) => void) {
  const hearBoth = ({ id, slug }: { id: string; slug: string | null }) => {
    hear(companyPath({ id, slug: null }))
    if (slug) hear(companyPath({ id, slug }))
  }
  here.hear(db, hearBoth)
  await db.listen(CHANNEL, (payload) => {
    const [id, slug = null] = payload?.split(' ') ?? []
    if (id) hearBoth({ id, slug })
  })
}
