/** Publishes numbers about benefits. They change only here, all in the same nightly run. */
import sql from 'sql-template-tag'
import { quarterOf } from '#app/api/credential/quarter.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { broadcastRatingChange } from '../rating-events.server.ts'
import { type BenefitCell, type BenefitEntry, nextCells } from './benefit-cells.ts'

/** @returns how many companies' numbers changed */
export const publishBenefits = (ctx: Pick<ServerContext, 'db' | 'now'>) =>
  ctx.db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    const entries = await db.query<BenefitEntry>(sql`
      select id, version, company_id as "companyId",
             coalesce(merged_from, company_id) as "givenTo", year, month::text, has, uses,
             leave_weeks as "leaveWeeks", days_off as "daysOff"
        from benefit_entries where has is not null`)
    const shown = await db.query<BenefitCell>(sql`
      select company_id as "companyId", year, kind, entries, shares, median, members, quarter,
             surge_until::text as "surgeUntil"
        from benefit_cells for update`)
    const today = todayOf(ctx)
    const next = nextCells(entries, shown, { today, quarter: quarterOf(today) })
    await db.query(sql`delete from benefit_cells`)
    await db.query(sql`
      insert into benefit_cells
             (company_id, year, kind, entries, shares, median, members, quarter, surge_until)
      select "companyId", year, kind, entries, shares, median, members, quarter, "surgeUntil"
        from jsonb_to_recordset(${JSON.stringify(next)}::text::jsonb) as cell
             ("companyId" uuid, year smallint, kind text, entries integer, shares jsonb,
              median smallint, members jsonb, quarter text, "surgeUntil" date)`)
    const surgesOf = (cells: BenefitCell[]) =>
      new Map(cells.map(({ members, surgeUntil }) => [members, surgeUntil]))
    const [before, after] = [surgesOf(shown), surgesOf(next)]
    const changed = new Set(
      [...shown, ...next]
        .filter(({ members }) => before.get(members) !== after.get(members))
        .map(({ companyId }) => companyId),
    )
    for (const id of changed) broadcastRatingChange(db, id)
    return changed.size
  })
