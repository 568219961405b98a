/** What happens when a company changes: we record it in the history, and every process drops its cached pages. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { companyPath } from './company.ts'

/** Payload: paths, separated by spaces. */
const channel = createChannel('company_news')

/** Sent on commit, and immediately within this process. @param slugs former and current ones */
export const broadcastCompanyChange = (db: Database, id: string, slugs: (string | null)[]) =>
  channel.broadcast(db, [pathsOf(id, slugs)])

export const broadcastCompanyChanges = (
  db: Database,
  changed: { id: string; slug: string | null }[],
) =>
  channel.broadcast(
    db,
    changed.map(({ id, slug }) => pathsOf(id, [slug])),
  )

const pathsOf = (id: string, slugs: (string | null)[]) =>
  [null, ...slugs.filter((slug) => slug !== null)]
    .map((slug) => companyPath({ id, slug }))
    .join(' ')

/** After a deletion, we drop all cached pages, because lists of companies are everywhere. */
export const broadcastCompanyLoss = (db: Database) => channel.broadcast(db, ['/'])

/** @param listener gets each current or former path of the company */
export const onCompanyChange = (db: OpenDatabase, listener: (path: string) => void) =>
  channel.subscribe(db, (paths) => {
    for (const path of paths.split(' ')) listener(path)
  })

type Deciding = DataContext & { actor?: Ctx['actor'] }

/**
 * Records a change that applies immediately. It has no author, only who decided it, and a job's change doesn't even
 * have that.
 * @param changes from and to, by field
 * @returns the entry
 */
export const recordChange = (ctx: Deciding, companyId: string, changes: object, reason = '') =>
  recordChanges(ctx, [{ companyId, changes }], { reason })

/** @param from.importId the import that made them */
export const recordChanges = (
  ctx: Deciding,
  made: { companyId: string; changes: object }[],
  { reason = '', importId = null }: { reason?: string; importId?: string | null },
) =>
  ctx.db.query<{ id: number }>(sql`
    insert into company_edits
           (company_id, changes, reason, status, made_on, decided_by, decided_name, import_id)
    select "companyId", changes, ${reason}, 'applied', ${todayOf(ctx)}::date,
           ${ctx.actor?.account?.id ?? null}::uuid, ${ctx.actor?.account?.username ?? null},
           ${importId}::uuid
      from jsonb_to_recordset(${JSON.stringify(made)}::text::jsonb)
           as made("companyId" uuid, changes jsonb)
    returning id`)
