/** Writes a company's new texts, slug and policy. */

import sql, { join, raw } from 'sql-template-tag'
import { foldText } from '#app/kit/writing/text.ts'
import { type DatabaseError, isUniqueViolation } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { conflict } from '#app/platform/http/refusal.ts'
import { baseSlug, freeSlug, slugsLike } from '../company-commands.server.ts'
import { FACT_COLUMNS, factsOf } from '../company-queries.server.ts'
import { type KeyedCompany, rewriteKeys } from '../search/key-commands.server.ts'
import { type Changes, type CompanyFields, EDIT_REFUSALS } from './company-edit.ts'
import type { Policy } from './company-policy.ts'

/** A renamed company's former slug stays as a redirect (S13). @returns its slug @throws Refusal conflict */
export async function applyCompanyChanges(
  ctx: DataContext,
  id: string,
  slugBefore: string | null,
  changes: Omit<Changes, 'policy'>,
): Promise<string | null> {
  const { db } = ctx
  const { name, category, aliases } = changes
  const slug = name ? await slugFor(ctx, id, slugBefore, name) : slugBefore
  if (Object.keys(changes).length === 0) return slug
  const [now] = await db.query<KeyedCompany & Omit<CompanyFields, 'policy'>>(sql`
    select id, name, category, description, website, ${factsOf('c')} from companies c where id = ${id}`)
  if (!now) return slug
  const to = Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]))
  const texts: typeof now = { ...now, ...to }
  if (slug !== slugBefore) {
    await db.query(sql`delete from company_old_slugs where slug = ${slug} and company_id = ${id}`)
    if (slugBefore !== null)
      await db.query(sql`
        insert into company_old_slugs (slug, company_id) values (${slugBefore}, ${id})`)
  }
  await db
    .query(sql`
      update companies
         set name = ${texts.name}, name_key = ${foldText(texts.name)}, slug = ${slug},
             category = ${texts.category}, description = ${texts.description},
             website = ${texts.website},
             ${join(FACT_COLUMNS.map(({ field, column }) => sql`${raw(column)} = ${texts[field]}`))}
       where id = ${id}`)
    .catch((error: DatabaseError) => {
      if (!isUniqueViolation(error)) throw error
      throw conflict(EDIT_REFUSALS.addressTaken)
    })
  if (name || category || aliases) await rewriteKeys(db, [texts])
  return slug
}

/** The current slug if it still fits, or else a former one or a new one. */
async function slugFor(
  ctx: DataContext,
  id: string,
  slugBefore: string | null,
  name: { from: string; to: string },
) {
  const base = baseSlug(name.to)
  if (base === null || base === baseSlug(name.from)) return base && slugBefore
  const [own] = await ctx.db.query<{ slug: string }>(sql`
    select slug from company_old_slugs where company_id = ${id} and slug = ${base}`)
  return own?.slug ?? freeSlug(base, await slugsLike(ctx, [base]))
}

interface PolicyChange {
  from: Policy | null
  to: Policy | null
}

/** A different source alone doesn't make a new policy. */
const isSamePolicy = ({ from, to }: PolicyChange) =>
  from?.mode === to?.mode && from?.days === to?.days && from?.since === to?.since

/** Adds a policy to the history, or corrects the last one's source. @returns true if it only corrected that */
export async function applyPolicyChange(
  { db }: DataContext,
  companyId: string,
  change: PolicyChange,
) {
  const { to } = change
  if (!to) return true
  const isSame = isSamePolicy(change)
  if (isSame) await repairSource({ db }, companyId, to.source)
  else
    await db.query(sql`
      insert into company_policies (company_id, mode, days, since, source)
      values (${companyId}, ${to.mode}, ${to.days}, ${to.since && `${to.since}-01`}::date,
              ${to.source})`)
  return isSame
}

/** Removes a mistaken policy from the history, so the previous one is the latest again. */
export async function revertPolicy({ db }: DataContext, companyId: string, change: PolicyChange) {
  const isSame = isSamePolicy(change)
  if (isSame) await repairSource({ db }, companyId, change.to?.source ?? null)
  else await db.query(sql`delete from company_policies where id = (${latest(companyId)})`)
  return isSame
}

const latest = (companyId: string) =>
  sql`select id from company_policies where company_id = ${companyId} order by id desc limit 1`

const repairSource = ({ db }: Pick<DataContext, 'db'>, companyId: string, source: string | null) =>
  db.query(sql`
    update company_policies set source = ${source} where id = (${latest(companyId)})`)
