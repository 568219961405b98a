/** Imports on record: who imported what, and undoing them while no one has written about the companies. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { tidySubject } from '#app/identity/accounts/administrators/admin-action.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { isDeadlock } from '#app/platform/database/database.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import { broadcastCompanyLoss } from '../company-changes.server.ts'
import { IMPORT_REFUSALS, importedText } from './import-report.ts'
import { lockImports } from './import-turn.server.ts'
import type { PastImport, UndoneImport } from './imports.contract.ts'

const PAST_IMPORTS = 20
/** Companies deleted per transaction. */
const UNDO_BATCH = 500
const TRIES = 3

/** Idempotent. @throws Refusal conflict if it was undone */
export async function beginImport(
  { db, now }: Pick<ServerContext, 'db' | 'now'>,
  { id, adminName, source }: { id: string; adminName: string; source: string },
) {
  const [known] = await db.query<{ isUndone: boolean }>(sql`
    insert into company_imports (id, done_on, admin_name, source)
    values (${id}, ${dayOf(now())}::date, ${adminName}, ${tidySubject(source) || 'A file'})
    on conflict (id) do update set id = excluded.id
    returning undone_on is not null as "isUndone"`)
  if (known?.isUndone) throw conflict(IMPORT_REFUSALS.undone)
}

/** In the transaction that adds them. @throws Refusal conflict if it was undone meanwhile */
export async function rememberAdded(
  { db }: Pick<ServerContext, 'db'>,
  importId: string,
  added: { id: string }[],
) {
  const [known] = await db.query<{ isUndone: boolean }>(sql`
    select undone_on is not null as "isUndone" from company_imports where id = ${importId} for share`)
  if (known?.isUndone) throw conflict(IMPORT_REFUSALS.undone)
  await db.query(sql`
    insert into imported_companies (company_id, import_id)
    select id, ${importId}::uuid from unnest(${added.map(({ id }) => id)}::uuid[]) as added(id)`)
}

/** Forgets an import that added nothing. */
export async function endImport(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  { skipped, failed }: { skipped: number; failed: number },
) {
  await db.query(sql`
    update company_imports
       set skipped = ${skipped}, failed = ${failed},
           added = (select count(*) from imported_companies where import_id = ${id})
     where id = ${id} and undone_on is null`)
  await db.query(sql`
    delete from company_imports
     where id = ${id} and undone_on is null
       and not exists (select from imported_companies where import_id = ${id})`)
}

export const pastImports = ({ db }: Pick<ServerContext, 'db'>) =>
  db.query<PastImport>(sql`
    select id, done_on::text as day, admin_name as admin, source, added, skipped, failed,
           undone_on is not null as "isUndone",
           (select count(*)::integer from imported_companies where import_id = made.id) as "left"
      from company_imports made order by number desc limit ${PAST_IMPORTS}`)

/**
 * Deletes its companies, except those that people have used. Repeating it is safe, and deletes those no longer used.
 * @throws Refusal not-found
 */
export async function undoImport(ctx: Ctx, id: string) {
  const [found] = await ctx.db.query<{ source: string }>(sql`
    update company_imports set undone_on = coalesce(undone_on, ${dayOf(ctx.now())}::date)
     where id = ${id} returning source`)
  if (!found) throw notFound(IMPORT_REFUSALS.notFound)
  let removed = 0
  let after: string | null = null
  for (;;) {
    const batch: RemovedBatch = await removeBatch(ctx, id, after)
    removed += batch.removed
    after = batch.last
    if (batch.seen < UNDO_BATCH) break
  }
  if (removed > 0)
    await logAdminAct(ctx, {
      action: 'undo-import',
      subject: importedText(removed, found.source),
    })
  const kept = await keptOf(ctx, id)
  return { removed, kept: kept.slice(0, KEPT_TOLD), keptCount: kept.length }
}

const KEPT_TOLD = 100

interface RemovedBatch {
  seen: number
  /** The next batch comes after it. */
  last: string | null
  removed: number
}

/** Concurrent writers are waited for, or wait and find the company deleted. */
async function removeBatch(
  ctx: Ctx,
  id: string,
  after: string | null,
  tries = TRIES,
): Promise<RemovedBatch> {
  try {
    return await removeTogether(ctx, id, after)
  } catch (error) {
    if (tries > 1 && isDeadlock(error)) return removeBatch(ctx, id, after, tries - 1)
    throw error
  }
}

const removeTogether = (ctx: Ctx, id: string, after: string | null) =>
  transaction(ctx, async ({ db }) => {
    await db.query(sql`set local statement_timeout = 0`)
    await lockImports(db)
    const companies = await db.query<{ id: string }>(sql`
      select company.id from companies company join imported_companies mine on mine.company_id = company.id
       where mine.import_id = ${id} and (${after}::uuid is null or company.id > ${after}::uuid)
       order by company.id limit ${UNDO_BATCH} for update of company`)
    const ids = companies.map((company) => company.id)
    const removed = await db.query(sql`
      delete from companies where id = any (${ids}::uuid[])
         and not exists (select from (${saidAbout(ids)}) said where said.company_id = companies.id)
      returning id`)
    if (removed.length > 0) await broadcastCompanyLoss(db)
    return { seen: ids.length, last: ids.at(-1) ?? null, removed: removed.length }
  })

/** What people wrote, gave or requested, by company. */
const saidAbout = (ids: string[]) => sql`
  select company_id, 'threads' as what from threads where company_id = any (${ids}::uuid[])
  -- Emptied ones are no one's rating.
  union select company_id, 'ratings' from ratings
         where company_id = any (${ids}::uuid[]) and num_nonnulls(rto, dei, work_life, culture) > 0
  union select company_id, 'ratings' from public_ratings where company_id = any (${ids}::uuid[])
  union select company_id, 'followers' from follows where company_id = any (${ids}::uuid[])
  union select company_id, 'jobs' from job_postings where company_id = any (${ids}::uuid[])
  union select company_id, 'job alerts' from job_alerts where company_id = any (${ids}::uuid[])
  union select company_id, 'a claim' from employer_claims where company_id = any (${ids}::uuid[])
  union select company_id, 'replies' from company_replies where company_id = any (${ids}::uuid[])
  -- Otherwise undoing an import would erase removal counts.
  union select company_id, 'removed posts' from removal_counts where company_id = any (${ids}::uuid[])
  union select company_id, 'a merged company' from company_merges where company_id = any (${ids}::uuid[])
  union select company_id, 'changes' from company_edits where company_id = any (${ids}::uuid[])`

async function keptOf({ db }: Ctx, importId: string): Promise<UndoneImport['kept']> {
  const left = await db.query<{ id: string; name: string; slug: string | null }>(sql`
    select id, name, slug from companies
     where id in (select company_id from imported_companies where import_id = ${importId})
     order by name_key, id`)
  const said = await db.query<{ company_id: string; what: string }>(
    sql`select company_id, what from (${saidAbout(left.map(({ id }) => id))}) said order by what`,
  )
  return left.map(({ id, name, slug }) => ({
    name,
    path: companyPath({ id, slug }),
    has: said.filter(({ company_id }) => company_id === id).map(({ what }) => what),
  }))
}
