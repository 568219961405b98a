/** Writes what people are paid. Numbers change with the next publication, not here. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { payContextOf } from '#app/api/credential/purposes.ts'
import { firstDayOf, quartersAround } from '#app/api/credential/quarter.ts'
import {
  companyIds,
  noCompany,
  withCurrentCompany,
} from '#app/companies/merging/merged-companies.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { notFound, requireValid } from '#app/platform/http/refusal.ts'
import { presentedTag, requireNotMerged } from '../presented/presented-tag.server.ts'
import { thisMonth } from '../rating-commands.server.ts'
import { keyHashesOf } from '../rating-tag.server.ts'
import type { PayReceipt, RemovingPay } from './pay.contract.ts'
import { coarse, PAY_REFUSALS } from './pay.ts'
import { type PresentedPay, payMessage, payProblems } from './pay-input.ts'

interface Presented extends PresentedPay {
  /** base64url */
  presentation: string
}

/**
 * Each tag has one entry, and a person has one tag per company and year. A change needs a higher number than the last
 * one. Otherwise it's late, sent again or recorded by someone, and changes nothing.
 * @throws Refusal bad-request without a proof or for impossible pay, conflict for another company’s badge, gone for a
 * merged company, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function givePay(ctx: Ctx, presented: Presented, issuer: Issuer): Promise<PayReceipt> {
  const { companyId, pay, badge, version } = presented
  requireValid(payProblems(pay, todayOf(ctx)))
  const tag = await presentedTag(ctx, issuer, presented, {
    name: 'presented pay',
    context: payContextOf(companyId, pay.year),
    message: payMessage(presented),
    refusals: PAY_REFUSALS,
  })
  const given = [
    sql`${pay.title}`,
    sql`${pay.area}`,
    sql`${pay.currency}`,
    sql`${coarse(pay.base)}::bigint`,
    sql`${coarse(pay.bonus)}::bigint`,
    sql`${coarse(pay.equity)}::bigint`,
    sql`${pay.experience}`,
    sql`${badge !== undefined}::boolean`,
  ]
  const entry: Entry = { companyId, tag, version, given: join(given), year: pay.year }
  return withCurrentCompany(ctx.db, companyId, (current) => {
    requireNotMerged(current, companyId, PAY_REFUSALS)
    return transaction(ctx, async (ctx) => {
      const isStored = await storeEntry(ctx, presented, entry)
      if (!isStored) return lateReceipt(ctx.db, entry)
      await emptyEntries(
        ctx,
        sql`
        holder_key_hash = any (${keyHashesOf(presented.mergedKeys)}::bytea[]) and company_id = ${companyId}
        and merged_from is not null and tag <> ${tag}`,
      )
      return { version }
    })
  })
}

interface Entry {
  companyId: string
  year: number
  tag: string
  version: number
  /** The values of `GIVEN`. */
  given: Sql
}

const join = ([first, ...others]: Sql[]) =>
  others.reduce((all, one) => sql`${all}, ${one}`, first ?? sql``)

const GIVEN = sql`title, area, currency, base, bonus, equity, experience, is_verified`

/** One statement decides, so of two devices the higher number wins. @returns false if it's late, or there's no company */
async function storeEntry(
  ctx: Ctx,
  { holder, removal }: Presented,
  { companyId, year, tag, version, given }: Entry,
) {
  const stored = await ctx.db.query(
    sql`
    insert into pay_entries as entry (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, ${GIVEN})
    select id, ${year}::smallint, ${tag}, ${Buffer.from(holder, 'base64url')}::bytea,
           ${Buffer.from(removal, 'base64url')}::bytea, ${version}::integer, ${thisMonth(ctx)}::date,
           ${given}
      from companies where id = ${companyId} for key share
    on conflict (tag) do update
      set holder_key_hash = excluded.holder_key_hash, removal_key_hash = excluded.removal_key_hash, version = excluded.version,
          month = excluded.month, title = excluded.title, area = excluded.area,
          currency = excluded.currency, base = excluded.base, bonus = excluded.bonus,
          equity = excluded.equity, experience = excluded.experience,
          is_verified = excluded.is_verified
     where entry.version < excluded.version
    returning id`,
    PREPARED,
  )
  return stored.length > 0
}

/** @throws Refusal not-found without the company */
async function lateReceipt(db: Database, { tag, given }: Entry): Promise<PayReceipt> {
  const [stored] = await db.query<{ version: number; isSame: boolean }>(sql`
    select version, (${GIVEN}) is not distinct from (${given}) as "isSame"
      from pay_entries where tag = ${tag}`)
  if (!stored) throw noCompany()
  return { version: stored.version, ...(!stored.isSame && { isOther: true }) }
}

const emptyEntries = (ctx: Ctx, which: Sql) =>
  ctx.db.query<{ version: number }>(
    sql`
    update pay_entries
       set month = ${thisMonth(ctx)}::date, title = null, area = null, currency = null, base = null,
           bonus = null, equity = null, experience = null, is_verified = false
     where title is not null and ${which} returning version`,
    PREPARED,
  )

/**
 * Empties an entry immediately. Numbers follow with the next publication. An entry that
 * changed after the removal was created stays, so replaying an old request does nothing. @throws Refusal not-found
 */
export async function removePay(
  ctx: Ctx,
  companyId: string,
  { keys, removalKey }: RemovingPay,
): Promise<PayReceipt> {
  const { id } = await companyIds(ctx.db, companyId)
  const own = sql`holder_key_hash = any (${keyHashesOf(keys)}::bytea[]) and company_id = ${id}`
  // No one can give pay at a merged company again, so a recorded removal can't do harm there.
  const [removed] = await emptyEntries(
    ctx,
    sql`
    ${own} and (removal_key_hash = any (${keyHashesOf([removalKey])}::bytea[]) or merged_from is not null)`,
  )
  if (removed) return removed
  const [other] = await ctx.db.query<{ version: number }>(sql`
    select version from pay_entries where ${own} and title is not null`)
  if (!other) throw notFound(PAY_REFUSALS.notFound)
  return { version: other.version, isOther: true }
}

/** Run it in a transaction that holds the company. */
export async function removePayOf(db: Database, companyId: string) {
  await db.query(sql`delete from pay_entries where company_id = ${companyId}`)
  await db.query(sql`delete from pay_cells where company_id = ${companyId}`)
}

/** Deletes removed entries once no earlier request is valid, which is when that quarter's credentials have expired. */
export const sweepRemovedPay = (db: Database, today: string) =>
  db.query(sql`
    delete from pay_entries
     where title is null and month < ${firstDayOf(quartersAround(today)[0])}::date`)
