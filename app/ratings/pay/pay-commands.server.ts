/** Writes what people are paid. Numbers change with the next publication, not here. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { payContextOf } from '#app/api/credential/purposes.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { requireValid } from '#app/platform/http/refusal.ts'
import {
  type EntryKind,
  type EntryReceipt,
  giveEntry,
  removeEntry,
  sweepRemovedEntries,
} from '../presented/given-entries.server.ts'
import type { RemovingEntry } from '../presented/presented.contract.ts'
import type { PayReceipt } from './pay.contract.ts'
import { coarse, PAY_REFUSALS } from './pay.ts'
import { type PresentedPay, payMessage, payProblems } from './pay-input.ts'

interface Presented extends PresentedPay {
  /** base64url */
  presentation: string
}

const PAY: EntryKind = {
  name: 'pay',
  table: sql`pay_entries`,
  columns: ['title', 'area', 'currency', 'base', 'bonus', 'equity', 'experience', 'is_verified'],
  contextOf: payContextOf,
  refusals: PAY_REFUSALS,
}

/** @throws Refusal bad-request for impossible pay, and as `giveEntry` */
export async function givePay(ctx: Ctx, presented: Presented, issuer: Issuer): Promise<PayReceipt> {
  const { pay, badge } = presented
  requireValid(payProblems(pay, todayOf(ctx)))
  const receipt = await giveEntry(ctx, issuer, PAY, presented, {
    year: pay.year,
    message: payMessage(presented),
    values: [
      sql`${pay.title}`,
      sql`${pay.area}`,
      sql`${pay.currency}`,
      sql`${coarse(pay.base)}::bigint`,
      sql`${coarse(pay.bonus)}::bigint`,
      sql`${coarse(pay.equity)}::bigint`,
      sql`${pay.experience}`,
      sql`${badge !== undefined}::boolean`,
    ],
  })
  return withoutId(receipt)
}

/** @throws Refusal as `removeEntry` */
export const removePay = async (ctx: Ctx, companyId: string, removing: RemovingEntry) =>
  withoutId(await removeEntry(ctx, PAY, companyId, removing))

const withoutId = ({ id: _, ...receipt }: EntryReceipt): PayReceipt => receipt

/** Run it in a transaction that holds the company. */
export async function removePayOf(db: Database, companyId: string) {
  await db.query(sql`delete from pay_entries where company_id = ${companyId}`)
  await db.query(sql`delete from pay_cells where company_id = ${companyId}`)
}

export const sweepRemovedPay = (db: Database, today: string) => sweepRemovedEntries(db, PAY, today)
