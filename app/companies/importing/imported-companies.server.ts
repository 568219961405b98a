/** Recorded imports: who imported what, and undoing them as long as no one has written about the companies. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { tidySubject } from '#app/identity/accounts/administrators/admin-action.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import { broadcastCompanyLoss } from '../company-changes.server.ts'
import { putFactsBack } from './filling.server.ts'
import { sweepDecisions } from './import-decisions.server.ts'
import { IMPORT_REFUSALS, importedText } from './import-report.ts'
import { lockImports, retryDeadlocks } from './import-turn.server.ts'
import type { PastImport, UndoneImport } from './imports.contract.ts'

const PAST_IMPORTS = 20
/** How many companies we delete per transaction. */
const UNDO_BATCH = 500

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

/** Call it in each transaction that changes companies, so undoing waits for it. @throws Refusal conflict */
export async function requireNotUndone({ db }: Pick<ServerContext, 'db'>, importId: string) {
  const [known] = await db.query<{ isUndone: boolean }>(sql`
    select undone_on is not null as "isUndone" from company_imports where id = ${importId} for share`)
  if (known?.isUndone) throw conflict(IMPORT_REFUSALS.undone)
}

export const rememberAdded = (
  { db }: Pick<ServerContext, 'db'>,
  importId: string,
  added: { id: string }[],
) =>
  db.query(sql`
    insert into imported_companies (company_id, import_id)
    select id, ${importId}::uuid from unnest(${added.map(({ id }) => id)}::uuid[]) as added(id)`)

/** Forgets an import that changed nothing. */
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
       and not exists (select from imported_companies where import_id = ${id})
       and not exists (select from company_edits where import_id = ${id})`)
  await sweepDecisions({ db })
}

export const pastImports = ({ db }: Pick<ServerContext, 'db'>) =>
  db.query<PastImport>(sql`
    select id, done_on::text as day, admin_name as admin, source, added, skipped, failed,
           undone_on is not null as "isUndone",
           (select count(*)::integer from imported_companies where import_id = made.id) as "left",
           (select count(distinct company_id)::integer from company_edits
             where import_id = made.id and status = 'applied') as filled
      from company_imports made order by number desc limit ${PAST_IMPORTS}`)

/**
 * Deletes an import's companies, except those that people have used, and undoes what it filled in, except what has
 * changed since. It's safe to repeat, which undoes what's no longer used. @throws Refusal not-found
 */
export async function undoImport(ctx: Ctx, id: string) {
  const [found] = await ctx.db.query<{ source: string }>(sql`
    update company_imports set undone_on = coalesce(undone_on, ${dayOf(ctx.now())}::date)
     where id = ${id} returning source`)
  if (!found) throw notFound(IMPORT_REFUSALS.notFound)
  const { companies: removed } = await inBatches(ctx, id, removeTogether)
  const { companies: filled, fields: putBack } = await inBatches(ctx, id, putBackTogether)
  if (removed + filled > 0)
    await logAdminAct(ctx, {
      action: 'undo-import',
      subject: importedText({ added: removed, filled }, found.source),
    })
  const kept = await keptOf(ctx, id)
  const [left] = await ctx.db.query<{ fields: number }>(sql`
    select count(*)::integer as fields from company_edits, jsonb_object_keys(changes)
     where import_id = ${id} and status = 'applied'`)
  return {
    removed,
    kept: kept.slice(0, KEPT_TOLD),
    keptCount: kept.length,
    putBack,
    keptFields: left?.fields ?? 0,
  }
}

const KEPT_TOLD = 100

interface UndoneBatch {
  seen: number
  /** The last id of this batch, after which the next one starts. */
  last: string | null
  companies: number
  fields: number
}

type UndoBatch = (ctx: Ctx, id: string, after: string | null) => Promise<UndoneBatch>

async function inBatches(ctx: Ctx, id: string, undoBatch: UndoBatch) {
  const undone = { companies: 0, fields: 0 }
  let after: string | null = null
  for (;;) {
    const batch: UndoneBatch = await retryDeadlocks(() => undoBatch(ctx, id, after))
    undone.companies += batch.companies
    undone.fields += batch.fields
    after = batch.last
    if (batch.seen < UNDO_BATCH) return undone
  }
}

/** Either we wait for concurrent writers, or they wait for us and find everything undone. */
const removeTogether: UndoBatch = (ctx, id, after) =>
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
    return { seen: ids.length, last: ids.at(-1) ?? null, companies: removed.length, fields: 0 }
  })

const putBackTogether: UndoBatch = (ctx, id, after) =>
  transaction(ctx, async (ctx) => {
    await lockImports(ctx.db)
    const companies = await ctx.db.query<{ id: string }>(sql`
      select id from companies
       where id in (select company_id from company_edits where import_id = ${id} and status = 'applied')
         and (${after}::uuid is null or id > ${after}::uuid)
       order by id limit ${UNDO_BATCH} for no key update`)
    const ids = companies.map((company) => company.id)
    const last = ids.at(-1) ?? null
    return { seen: ids.length, last, ...(await putFactsBack(ctx, id, ids)) }
  })

/** What people wrote, gave or requested, by company. */
const saidAbout = (ids: string[]) => sql`
  select company_id, 'threads' as what from threads where company_id = any (${ids}::uuid[])
  -- Emptied ones are no one's rating.
  union select company_id, 'ratings' from ratings
         where company_id = any (${ids}::uuid[]) and num_nonnulls(rto, dei, work_life, culture) > 0
  union select company_id, 'ratings' from public_ratings where company_id = any (${ids}::uuid[])
  union select company_id, 'pay' from pay_entries
         where company_id = any (${ids}::uuid[]) and title is not null
  union select company_id, 'interviews' from interviews
         where company_id = any (${ids}::uuid[]) and steps is not null
  union select company_id, 'interviews' from public_interviews where company_id = any (${ids}::uuid[])
  union select company_id, 'followers' from follows where company_id = any (${ids}::uuid[])
  union select company_id, 'jobs' from job_postings where company_id = any (${ids}::uuid[])
  union select company_id, 'job alerts' from job_alerts where company_id = any (${ids}::uuid[])
  union select company_id, 'a claim' from employer_claims where company_id = any (${ids}::uuid[])
  union select company_id, 'replies' from company_replies where company_id = any (${ids}::uuid[])
  -- Otherwise undoing an import would erase removal counts.
  union select company_id, 'removed posts' from removal_counts where company_id = any (${ids}::uuid[])
  union select company_id, 'a merged company' from company_merges where company_id = any (${ids}::uuid[])
  -- Neither by imports nor, like a found logo, by the site itself.
  union select company_id, 'changes' from company_edits
         where company_id = any (${ids}::uuid[]) and import_id is null and num_nonnulls(key, decided_name) > 0`

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
