/** Publishes numbers about pay. They change only here, all in the same nightly run. */
import sql from 'sql-template-tag'
import { quarterOf } from '#app/api/credential/quarter.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { broadcastRatingChange } from '../rating-events.server.ts'
import { cellKey, nextCells, type PayCell, type PayEntry } from './pay-cells.ts'

const cellColumns = sql`
  json_build_object('companyId', company_id, 'title', title, 'area', area, 'year', year,
                    'currency', currency) as scope,
  entries, verified, quartiles, members, quarter`

/** @returns how many cells changed */
export const publishPay = (ctx: Pick<ServerContext, 'db' | 'now'>) =>
  ctx.db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    const entries = await db.query<PayEntry>(sql`
      select id, version, company_id as "companyId",
             coalesce(merged_from, company_id) as "givenTo", title, area, year, currency,
             base::float8, bonus::float8, equity::float8, is_verified as "isVerified"
        from pay_entries where title is not null`)
    const shown = await db.query<PayCell>(sql`select ${cellColumns} from pay_cells for update`)
    const next = nextCells(entries, shown, quarterOf(todayOf(ctx)))
    const before = new Map(shown.map((cell) => [cellKey(cell.scope), cell.members]))
    const after = new Map(next.map((cell) => [cellKey(cell.scope), cell.members]))
    const isOld = ({ scope }: PayCell) => before.get(cellKey(scope)) === after.get(cellKey(scope))
    const changed = [...shown, ...next].filter((cell) => !isOld(cell))
    const rows = JSON.stringify(next.map(({ scope, ...cell }) => ({ ...scope, ...cell })))
    await db.query(sql`delete from pay_cells`)
    await db.query(sql`
      insert into pay_cells
             (company_id, title, area, year, currency, entries, verified, quartiles, members, quarter)
      select "companyId", title, area, year, currency, entries, verified, quartiles, members, quarter
        from jsonb_to_recordset(${rows}::text::jsonb) as cell
             ("companyId" uuid, title text, area text, year smallint, currency text, entries integer,
              verified smallint, quartiles jsonb, members jsonb, quarter text)`)
    const companies = new Set(changed.flatMap(({ scope }) => scope.companyId ?? []))
    for (const id of companies) broadcastRatingChange(db, id)
    return changed.length
  })
