/** What happens when a company changes: we record it in the history, and every process drops its cached pages. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { companyPath } from './company.ts'

/** Payload: paths, separated by spaces. */
const channel = createChannel('company_news')

/** Sent with the caller's commit, and immediately in this process. @param slugs former and current ones */
export function broadcastCompanyChange(db: Database, id: string, slugs: (string | null)[]) {
  const paths = [null, ...slugs.filter((slug) => slug !== null)].map((slug) =>
    companyPath({ id, slug }),
  )
  return channel.broadcast(db, [paths.join(' ')])
}

/** After a deletion, we drop all cached pages, because lists of companies are everywhere. */
export const broadcastCompanyLoss = (db: Database) => channel.broadcast(db, ['/'])

/** @param listener gets each current or former path of the company */
export const onCompanyChange = (db: OpenDatabase, listener: (path: string) => void) =>
  channel.subscribe(db, (paths) => {
    for (const path of paths.split(' ')) listener(path)
  })

/**
 * Records a change that applies immediately. It has no author, only who decided it, and a job's change doesn't even have that.
 * @param changes from and to, by field
 * @returns the entry
 */
export const recordChange = (
  ctx: DataContext & { actor?: Ctx['actor'] },
  companyId: string,
  changes: object,
  reason = '',
) =>
  ctx.db.query<{ id: number }>(sql`
    insert into company_edits (company_id, changes, reason, status, made_on, decided_by, decided_name)
    values (${companyId}, ${JSON.stringify(changes)}::jsonb, ${reason}, 'applied', ${todayOf(ctx)},
            ${ctx.actor?.account?.id ?? null}, ${ctx.actor?.account?.username ?? null})
    returning id`)
