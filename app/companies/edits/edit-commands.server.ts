/** Changes of companies' facts. S14. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertOwn, isOwn, lockAuthor, removeOwn } from '#app/api/auth/own-rows.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { requireUnsuspended, suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import { lengthProblem, tidyText } from '#app/kit/writing/text.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import {
  badRequest,
  changedMeanwhile,
  conflict,
  notFound,
  Refusal,
  requireValid,
} from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { companyPath } from '../company.ts'
import { broadcastCompanyChange, recordChange } from '../company-changes.server.ts'
import { removeFirstLogo } from '../logos/logo-commands.server.ts'
import { noCompany } from '../merging/merged-companies.server.ts'
import { MERGE_REFUSALS } from '../merging/merging.ts'
import { applyCompanyChanges, applyPolicyChange, revertPolicy } from './change-commands.server.ts'
import {
  type Changes,
  changesBetween,
  conflictsWith,
  EDIT_REFUSALS,
  type EditField,
  editProblems,
  REASON_MAX,
  reversedChanges,
  tidyFields,
} from './company-edit.ts'
import { editKey, fieldsOf, SUGGESTED } from './edit-queries.server.ts'

/** Task `{ companyId }`: tells followers that the company's policy changed. */
export const POLICY_CHANGED_TASK: TaskKind<{ companyId: string }> = 'company-policy-changed'

/**
 * An administrator's change applies immediately. A member's waits for an administrator.
 * @throws Refusal forbidden, not-found, bad-request, changed-meanwhile if a field no longer has the value the change
 * starts from
 */
export async function editCompany(
  ctx: Ctx,
  givenId: string,
  input: { changes: Changes; reason: string },
) {
  const reason = tidyText(input.reason)
  requireValid(lengthProblem(reason, REASON_MAX, 'reason'))
  return transaction(ctx, async (ctx) => {
    const { id: companyId, fields, slug } = await lockFields(ctx, givenId)
    const changes = checkedChanges(ctx, fields, input.changes)
    if (may.editCompanies(ctx.actor)) {
      await recordChange(ctx, companyId, changes, reason)
      return { state: 'applied' as const, path: await apply(ctx, companyId, slug, changes) }
    }
    await suggest(ctx, companyId, changes, reason)
    return { state: 'suggested' as const, path: companyPath({ id: companyId, slug }) }
  })
}

/** @throws Refusal not-found, conflict */
export const acceptEdit = (ctx: Ctx, id: number) =>
  transaction(ctx, async (ctx) => {
    const { companyId, changes } = await lockEdit(ctx, id, 'suggested')
    const { fields, slug } = await lockFields(ctx, companyId)
    requireNoConflict(conflictsWith(fields, changes))
    await decide(ctx, id, 'applied')
    return { path: await apply(ctx, companyId, slug, changes) }
  })

/** @throws Refusal not-found, conflict */
export const declineEdit = (ctx: Ctx, id: number) =>
  transaction(ctx, async (ctx) => {
    await lockEdit(ctx, id, 'suggested')
    await decide(ctx, id, 'declined')
    return { isDeclined: true as const }
  })

/** @throws as `acceptEdit` */
export const revertEdit = (ctx: Ctx, id: number) =>
  transaction(ctx, async (ctx) => {
    const { companyId, changes, mergedFrom } = await lockEdit(ctx, id, 'applied')
    if ('merged' in changes) throw conflict(MERGE_REFUSALS.tooLate)
    if (mergedFrom !== null) throw conflict(MERGE_REFUSALS.moved)
    const { fields, slug } = await lockFields(ctx, companyId)
    const back = reversedChanges(changes)
    requireNoConflict(conflictsWith(fields, back))
    if ('logo' in changes) await removeFirstLogo(ctx, companyId, changes.logo as LogoChange)
    await decide(ctx, id, 'reverted')
    return { path: await apply(ctx, companyId, slug, back, { isBack: true }) }
  })

type LogoChange = { from: string | null; to: string | null }

/** Locks the company's row, so concurrent changes see each other. */
async function lockFields({ db }: Ctx, id: string) {
  const [locked] = await db.query<{ id: string }>(
    sql`select id from companies where id = ${id} for no key update`,
  )
  const company = await fieldsOf(db, id)
  if (!locked || !company) throw noCompany()
  return { ...locked, ...company }
}

interface LockedEdit {
  companyId: string
  changes: Changes
  status: string
  mergedFrom: string | null
}

async function lockEdit({ db }: Ctx, id: number, wanted: 'suggested' | 'applied') {
  // Locks the company before the edit, like every writer.
  await db.query(sql`
    select from companies where id = (select company_id from company_edits where id = ${id})
       for no key update`)
  const [edit] = await db.query<LockedEdit>(sql`
    select company_id as "companyId", changes, status, merged_from as "mergedFrom"
      from company_edits where id = ${id} for update`)
  if (!edit) throw notFound(EDIT_REFUSALS.notFound)
  if (edit.status !== wanted)
    throw conflict(wanted === 'suggested' ? EDIT_REFUSALS.decided : EDIT_REFUSALS.notApplied)
  return edit
}

/** @throws Refusal bad-request, changed-meanwhile */
function checkedChanges(
  ctx: Ctx,
  fields: Parameters<typeof tidyFields>[0],
  input: Changes,
): Changes {
  requireNoConflict(conflictsWith(fields, input))
  const wanted = { ...fields }
  for (const [field, change] of Object.entries(input))
    if (change) Object.assign(wanted, { [field]: change.to })
  const tidied = tidyFields(wanted)
  // We don't touch fields that weren't in the request, even if tidying would change them.
  const changed = changesBetween(fields, tidied)
  const changes = Object.fromEntries(
    Object.entries(changed).filter(([field]) => input[field as EditField]),
  ) as Changes
  requireValid(editProblems(changes, monthOf(ctx)))
  if (Object.keys(changes).length === 0) throw badRequest(EDIT_REFUSALS.noChange)
  return changes
}

const monthOf = ({ now }: Ctx) => now().toISOString().slice(0, 7)

function requireNoConflict([field]: EditField[]) {
  if (field) throw changedMeanwhile(EDIT_REFUSALS.changed(field))
}

async function suggest(ctx: Ctx, companyId: string, changes: Changes, reason: string) {
  const { db, actor } = ctx
  const { root } = requirePersonRoot(ctx)
  requireUnsuspended(await suspensionOf(ctx, root), 'suggest changes')
  await lockAuthor(db, actor.authorKey)
  const waiting = await db.query<{ isSame: boolean }>(sql`
    select company_id = ${companyId} and changes = ${JSON.stringify(changes)}::jsonb as "isSame"
      from company_edits where ${isOwn(SUGGESTED, root)}`)
  if (waiting.some(({ isSame }) => isSame)) throw conflict(EDIT_REFUSALS.same)
  const key = editKey(root, companyId)
  const suggested = await insertOwn(db, SUGGESTED, {
    root,
    key: null,
    insert: (ownRowKey) => sql`
      insert into company_edits (company_id, changes, reason, status, made_on, key, own_row_key)
      values (${companyId}, ${JSON.stringify(changes)}::jsonb, ${reason}, 'suggested',
              ${todayOf(ctx)}, ${key}, ${ownRowKey}) on conflict do nothing returning id`,
  })
  if (!suggested) throw new Refusal('too-many', EDIT_REFUSALS.full)
}

const decide = ({ db, actor }: Ctx, id: number, status: string) =>
  db.query(sql`
    update company_edits set status = ${status}, own_row_key = null, decided_by = ${actor.account?.id},
           decided_name = ${actor.account?.username}
     where id = ${id}`)

/** Writes the fields and notifies. @returns the company's path */
async function apply(
  ctx: Ctx,
  companyId: string,
  slugBefore: string | null,
  changes: Changes,
  { isBack = false } = {},
) {
  // A logo isn't a text field. Its revert has already removed it.
  const { policy, logo: _, ...texts } = changes as Changes & { logo?: LogoChange }
  const slug = await applyCompanyChanges(ctx, companyId, slugBefore, texts)
  if (policy) {
    const isSameStatement = await (isBack ? revertPolicy : applyPolicyChange)(
      ctx,
      companyId,
      policy,
    )
    if (!isSameStatement) await ctx.queue.enqueue(ctx.db, POLICY_CHANGED_TASK, { companyId })
  }
  await broadcastCompanyChange(ctx.db, companyId, [slugBefore, slug])
  return companyPath({ id: companyId, slug })
}

/** Deletes pending suggestions. Others stay in the history, under keys that can't be derived again. */
export async function forgetEditor({ db }: Pick<ServerContext, 'db'>, { root }: { root: Buffer }) {
  await removeOwn(db, SUGGESTED, root)
}
