/** Writes what people get besides pay. Shares change with the next publication, not here. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { benefitsContextOf } from '#app/api/credential/purposes.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { requireValid } from '#app/platform/http/refusal.ts'
import {
  type EntryKind,
  giveEntry,
  removeEntry,
  sweepRemovedEntries,
} from '../presented/given-entries.server.ts'
import type { GivenEntry, RemovingEntry } from '../presented/presented.contract.ts'
import { BENEFITS_REFUSALS } from './benefits.ts'
import { benefitsMessage, benefitsProblems, type PresentedBenefits } from './benefits-input.ts'

const BENEFITS: EntryKind = {
  name: 'benefits',
  table: sql`benefit_entries`,
  columns: ['has', 'uses', 'leave_weeks', 'days_off'],
  contextOf: benefitsContextOf,
  refusals: BENEFITS_REFUSALS,
}

/** @throws Refusal bad-request for impossible benefits, and as `giveEntry` */
export async function giveBenefits(
  ctx: Ctx,
  presented: PresentedBenefits & GivenEntry,
  issuer: Issuer,
) {
  const { year, has, uses, leaveWeeks, daysOff } = presented.benefits
  requireValid(benefitsProblems(presented.benefits, todayOf(ctx)))
  const { id: _, ...receipt } = await giveEntry(ctx, issuer, BENEFITS, presented, {
    year,
    message: benefitsMessage(presented),
    values: [
      // In alphabetical order, because the order someone chose them in is their own.
      sql`${has.toSorted()}::text[]`,
      sql`${uses.toSorted()}::text[]`,
      sql`${leaveWeeks}::smallint`,
      sql`${daysOff}::smallint`,
    ],
  })
  return receipt
}

/** @throws Refusal as `removeEntry` */
export async function removeBenefits(ctx: Ctx, companyId: string, removing: RemovingEntry) {
  const { id: _, ...receipt } = await removeEntry(ctx, BENEFITS, companyId, removing)
  return receipt
}

/** Run it in a transaction that holds the company. */
export async function removeBenefitsOf(db: Database, companyId: string) {
  await db.query(sql`delete from benefit_entries where company_id = ${companyId}`)
  await db.query(sql`delete from benefit_cells where company_id = ${companyId}`)
}

export const sweepRemovedBenefits = (db: Database, today: string) =>
  sweepRemovedEntries(db, BENEFITS, today)
