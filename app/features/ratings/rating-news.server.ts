/** Tells every process that a company's ratings changed, so that it drops the pages it has kept. */
import sql from 'sql-template-tag'
import type { OpenDatabase } from '../../server/database.server.ts'
import { createTelling, newsIn, POSITION } from '../../server/telling.server.ts'
import { companyPath } from '../companies/company.ts'

const CHANNEL = 'rating_news'

/** After the commit; nothing is told of a company that is gone. */
export const tellOfRatings = createTelling((db, companyIds) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, concat_ws(' ', id, slug, ${POSITION}))
      from companies where id = any (${companyIds}::uuid[])`,
    { name: 'tell of ratings' },
  ),
)

/**
 * @param hear gets both paths that lead to the company; what is missed while a connection is lost
 * costs a page half a minute of its freshness, which is what pages are allowed
 */
export const hearOfRatings = (db: OpenDatabase, hear: (path: string) => void) =>
  db.listen(CHANNEL, (payload) => {
    const [id, slug = null] = newsIn(payload ?? '').words
    if (!id) return
    hear(companyPath({ id, slug: null }))
    if (slug) hear(companyPath({ id, slug }))
  })
