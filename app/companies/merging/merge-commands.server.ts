/** Merges two companies, and undoes merges. D57. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type Event, emit } from '#app/platform/database/server-context.server.ts'
import { HOUR_MS } from '#app/platform/days.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import {
  broadcastCompanyChange,
  broadcastCompanyLoss,
  recordChange,
} from '../company-changes.server.ts'
import { baseSlug, freeSlug, slugsLike } from '../company-commands.server.ts'
import { companyBelongings, retryWhileLocked } from '../deletion/company-deletion.server.ts'
import { belongingLines } from '../deletion/company-deletion.ts'
import { applyCompanyChanges } from '../edits/change-commands.server.ts'
import {
  type Changes,
  conflictsWith,
  EDIT_REFUSALS,
  type EditField,
  reversedChanges,
} from '../edits/company-edit.ts'
import { revertEdit } from '../edits/edit-commands.server.ts'
import { fieldsOf } from '../edits/edit-queries.server.ts'
import { rewriteKeys } from '../search/key-commands.server.ts'
import { bothOf, type Mergeable } from './merge-queries.server.ts'
import {
  type Joining,
  type MergeSnapshot,
  moveRows,
  moveRowsBack,
  putBack,
  recountClicks,
  takeSnapshot,
} from './merge-snapshot.server.ts'
import { joinedFacts, MERGE_REFUSALS, UNDO_HOURS } from './merging.ts'

/** Rows moved between these companies. Upper features recount theirs in the same transaction. */
export const COMPANY_ROWS_MOVED: Event<{ companyIds: string[] }> = { name: 'company-rows-moved' }

/**
 * One transaction, so no one sees half a merge. Concurrent writers to the merged company wait, and write to the
 * remaining one. @throws Refusal bad-request for the same company, not-found, conflict if it was merged meanwhile, both
 * replied to the same thread, or people keep writing
 */
export const mergeCompany = (ctx: Ctx, joining: Joining) =>
  retryWhileLocked(ctx, MERGE_REFUSALS.busy, (ctx) => mergeWhole(ctx, joining))

async function mergeWhole(ctx: Ctx, joining: Joining) {
  const { db } = ctx
  await lockBoth(db, [joining.from, joining.into])
  const { from, into } = await bothOf(db, joining)
  const claimants = await lockClaimants(db, [from.id, into.id])
  await requireOneReplyEach(db, joining)
  const slugs = await slugsOf(db, [from.id, into.id])
  const changes = joinedFacts(from.fields, into.fields)
  const moved = belongingLines(await companyBelongings(ctx, from.id)).join(', ')
  const snapshot = await takeSnapshot(db, joining)
  await joinClaims(db, joining)
  await moveRows(db, joining)
  const merged = { from: null, to: from.fields.name }
  const [edit] = await recordChange(ctx, into.id, { merged, ...changes })
  await db.query(sql`
    update company_merges set company_id = ${into.id} where company_id = ${from.id}`)
  await db.query(sql`
    insert into company_merges (id, company_id, into_id, name, edit_id, undo_until, snapshot)
    values (${from.id}, ${into.id}, ${into.id}, ${from.fields.name}, ${edit?.id ?? null},
            ${undoUntil(ctx)}, ${JSON.stringify(snapshot)}::text::jsonb)`)
  await recountClicks(db, [from.id, into.id])
  await emit(ctx, COMPANY_ROWS_MOVED, { companyIds: [from.id, into.id] })
  await db.query(sql`delete from companies where id = ${from.id}`)
  if (from.slug !== null)
    await db.query(sql`
      insert into company_old_slugs (slug, company_id, merged_from)
      values (${from.slug}, ${into.id}, ${from.id})`)
  const slug = await applyCompanyChanges(ctx, into.id, into.slug, changes)
  const subject = `${from.fields.name} into ${into.fields.name}, with ${moved}`
  await logAdminAct(ctx, { action: 'merge-companies', subject, companyId: into.id })
  await notify(ctx, { claimants, from: from.id, into: into.id, slugs })
  return { path: companyPath({ id: into.id, slug }) }
}

interface MergeRow {
  id: string
  companyId: string
  intoId: string
  name: string
}

/** Null for changes that aren't merges. */
async function mergeOfEdit(db: Database, editId: number): Promise<MergeRow | null> {
  const [merge] = await db.query<MergeRow>(sql`
    select id, company_id as "companyId", into_id as "intoId", name
      from company_merges where edit_id = ${editId}`)
  return merge ?? null
}

/** @throws Refusal conflict if too late */
async function snapshotOf({ db, now }: Ctx, id: string) {
  const [merge] = await db.query<{ snapshot: MergeSnapshot }>(sql`
    select snapshot from company_merges where id = ${id} and undo_until > ${now().toISOString()}`)
  if (!merge) throw conflict(MERGE_REFUSALS.tooLate)
  return merge.snapshot
}

/**
 * What the remaining company got meanwhile stays there. What depends on a row that goes back, such as a thread's
 * comments, goes back, too.
 * @throws Refusal not-found, conflict after a day, or if the remaining company was merged itself
 */
export const undoMerge = (ctx: Ctx, editId: number) =>
  retryWhileLocked(ctx, MERGE_REFUSALS.busy, (ctx) => undoWhole(ctx, editId))

/** Takes back an edit, or the merge it stands for. @throws Refusal as `undoMerge` and `revertEdit` */
export const revertEditOrMerge = async (ctx: Ctx, editId: number) =>
  (await mergeOfEdit(ctx.db, editId)) ? undoMerge(ctx, editId) : revertEdit(ctx, editId)

async function undoWhole(ctx: Ctx, editId: number) {
  const { db } = ctx
  const wanted = await mergeOfEdit(db, editId)
  if (!wanted) throw notFound(EDIT_REFUSALS.notFound)
  await lockBoth(db, [wanted.companyId])
  // If two people undo at once, the second sees the first.
  const merge = await mergeOfEdit(db, editId)
  if (!merge) throw conflict(MERGE_REFUSALS.undone)
  if (merge.companyId !== merge.intoId)
    throw conflict(MERGE_REFUSALS.furtherMerged(await nameOf(db, merge.companyId)))
  const snapshot = await snapshotOf(ctx, merge.id)
  const joining = { from: merge.id, into: merge.companyId }
  const into = await fieldsOf(db, joining.into)
  if (!into) throw notFound(EDIT_REFUSALS.notFound)
  const claimants = await lockClaimants(db, [joining.into])
  const slugs = await slugsOf(db, [joining.into])
  const origins = [merge.id, ...snapshot.former]
  await takeAddressesBack(db, joining, origins)
  const slug = await freeAgain(ctx, snapshot.company)
  await putBack(db, joining, snapshot, slug)
  await moveRowsBack(db, joining, origins)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status, claimed_on, method, is_verified)
    select account_id, ${merge.id}, 'approved', claimed_on, method, is_verified
      from employer_claims where company_id = ${joining.into} and merged_twin = ${merge.id}
    on conflict do nothing`)
  await db.query(sql`
    update employer_claims set merged_twin = null
     where company_id = ${joining.into} and merged_twin = ${merge.id}`)
  await db.query(sql`delete from company_merges where id = ${merge.id}`)
  await db.query(sql`
    update company_merges set company_id = ${merge.id} where id = any (${snapshot.former}::uuid[])`)
  await recountClicks(db, [merge.id, joining.into])
  const companyIds = [merge.id, joining.into]
  await emit(ctx, COMPANY_ROWS_MOVED, { companyIds })
  await rewriteKeys(db, [snapshot.company])
  await takeFactsBack(ctx, editId, joining.into, into)
  await db.query(sql`
    update company_edits set status = 'reverted', decided_by = ${ctx.actor.account?.id},
           decided_name = ${ctx.actor.account?.username}
     where id = ${editId}`)
  const subject = `${merge.name} and ${into.fields.name}`
  await logAdminAct(ctx, { action: 'undo-merge', subject, companyId: merge.id })
  await notify(ctx, { claimants, ...joining, slugs: [...slugs, slug] })
  return { path: companyPath({ id: merge.id, slug }) }
}

/** A day from now, to the minute. */
function undoUntil({ now }: Ctx) {
  const until = new Date(now().getTime() + UNDO_HOURS * HOUR_MS)
  until.setUTCSeconds(0, 0)
  return until.toISOString()
}

/** Deletes the stored rows once it's too late to undo. */
export async function forgetMerged(db: Database, now: Date) {
  await db.query(sql`
    update company_merges set undo_until = null, snapshot = null where undo_until <= ${now.toISOString()}`)
}

/** Locks in id order, so two merges can't deadlock. */
const lockBoth = (db: Database, ids: string[]) =>
  db.query(sql`select from companies where id = any (${ids}::uuid[]) order by id for update`)

/** Locks accounts before claims, as decisions on claims do. */
async function lockClaimants(db: Database, companies: string[]) {
  const claimants = await db.query<{ id: string }>(sql`
    select id from accounts
     where id in (select account_id from employer_claims
                   where company_id = any (${companies}::uuid[]))
     order by id for no key update`)
  return claimants.map(({ id }) => id)
}

/** We could only show one reply, and mustn't lose either. */
async function requireOneReplyEach(db: Database, { from, into }: Joining) {
  const [both] = await db.query<{ title: string }>(sql`
    select thread.title from company_replies reply
      join company_replies other on other.thread_id = reply.thread_id
      join threads thread on thread.id = reply.thread_id
     where reply.company_id = ${from} and other.company_id = ${into} limit 1`)
  if (both) throw conflict(MERGE_REFUSALS.twoReplies(both.title))
}

/** Keeps one claim per account, preferably an approved one. */
async function joinClaims(db: Database, { from, into }: Joining) {
  const twins = sql`
    employer_claims gone join employer_claims stays
      on stays.account_id = gone.account_id and stays.id <> gone.id`
  await db.query(sql`
    delete from employer_claims where id in (
      select gone.id from ${twins}
       where gone.company_id = ${into} and stays.company_id = ${from}
         and gone.status <> 'approved' and stays.status = 'approved')`)
  await db.query(sql`
    update employer_claims set merged_twin = ${from} where id in (
      select stays.id from ${twins}
       where gone.company_id = ${from} and stays.company_id = ${into} and gone.status = 'approved')`)
  await db.query(sql`
    delete from employer_claims where id in (
      select gone.id from ${twins} where gone.company_id = ${from} and stays.company_id = ${into})`)
}

async function slugsOf(db: Database, companies: string[]) {
  const slugs = await db.query<{ slug: string | null }>(sql`
    select slug from companies where id = any (${companies}::uuid[])
    union all select slug from company_old_slugs where company_id = any (${companies}::uuid[])`)
  return slugs.map(({ slug }) => slug)
}

/** If the remaining company took its slug meanwhile, it gets a number, like a new company. */
async function freeAgain(ctx: Ctx, { slug, name }: MergeSnapshot['company']) {
  if (slug === null) return null
  const base = baseSlug(name) ?? slug
  const taken = await slugsLike(ctx, [slug, base])
  return taken.has(slug) ? freeSlug(base, taken) : slug
}

/** Runs before the company is restored, because its slug mustn't redirect. */
const takeAddressesBack = (db: Database, { into }: Joining, origins: string[]) =>
  db.query(sql`
    delete from company_old_slugs
     where company_id = ${into} and merged_from = any (${origins}::uuid[])`)

/** Undoes what the remaining company took over, if that hasn't changed since. */
async function takeFactsBack(
  ctx: Ctx,
  editId: number,
  into: string,
  { fields, slug }: Omit<Mergeable, 'id'>,
) {
  const [edit] = await ctx.db.query<{ changes: Changes & { merged?: unknown } }>(
    sql`select changes from company_edits where id = ${editId}`,
  )
  const { merged: _, ...changes } = edit?.changes ?? {}
  const back = reversedChanges(changes)
  const changedSince = new Set<EditField>(conflictsWith(fields, back))
  const unchanged = Object.entries(back).filter(([field]) => !changedSince.has(field as EditField))
  await applyCompanyChanges(ctx, into, slug, Object.fromEntries(unchanged))
}

async function nameOf(db: Database, id: string) {
  const [company] = await db.query<{ name: string }>(
    sql`select name from companies where id = ${id}`,
  )
  return company?.name ?? ''
}

interface Moved extends Joining {
  claimants: string[]
  slugs: (string | null)[]
}

async function notify(ctx: Ctx, { claimants, from, into, slugs }: Moved) {
  await broadcastActorChange(ctx, ...claimants)
  // One by one, because a notification's payload is small and a company may have many former slugs.
  for (const id of [from, into])
    for (const slug of slugs) await broadcastCompanyChange(ctx.db, id, [slug])
  await broadcastCompanyLoss(ctx.db)
}
