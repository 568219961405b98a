/** Benefits of the demo companies. Real companies get none. */
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { BENEFITS } from './benefits.ts'
import { publishBenefits } from './benefits-publication.server.ts'

/** Does nothing if there are benefits already. @returns how many people's were added */
export const loadStarterBenefits = (ctx: DataContext) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const today = todayOf(ctx)
    await db.query(sql`lock table benefit_entries in share row exclusive mode`)
    const [first] = await db.query(sql`select from benefit_entries limit 1`)
    if (first) return 0
    const companies = await db.query<{ id: string; name: string }>(
      sql`select id, name from companies where demo`,
    )
    const rows = companies.flatMap(({ id, name }) =>
      Array.from({ length: 4 + draw(name, 16) }, (_, n) => ({ id, ...benefitsOf(name, n) })),
    )
    await db.query(sql`
      insert into benefit_entries
             (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, has, uses, leave_weeks, days_off)
      select id, extract(year from ${today}::date), concat('starter ', gen_random_uuid()),
             sha256(gen_random_uuid()::text::bytea), sha256(gen_random_uuid()::text::bytea), 1,
             date_trunc('month', ${today}::date - make_interval(months => ago)), has, uses, leave, days
        from json_to_recordset(${JSON.stringify(rows)}::json) as row(
          id uuid, ago integer, has text[], uses text[], leave smallint, days smallint)
       order by gen_random_uuid()`)
    await publishBenefits(ctx)
    return rows.length
  })

/** A number below `below`, the same on every machine. */
const draw = (seed: string, below: number) =>
  createHash('sha256').update(seed).digest().readUInt32BE() % below

/** The n-th person's. A benefit is either common at a company or rare. */
function benefitsOf(company: string, n: number) {
  const has = BENEFITS.map(({ key }) => key).filter((key) => {
    const outOfTen = [0, 1, 4, 8, 10][draw(`${company} ${key}`, 5)] as number
    return draw(`${company} ${key} ${n}`, 10) < outOfTen
  })
  return {
    has,
    uses: has.filter((key) => draw(`${company} ${key} uses ${n}`, 10) < 6),
    leave: draw(`${company} ${n} knows`, 3) === 0 ? null : 6 + draw(`${company} leave`, 20),
    days: 20 + draw(`${company} days`, 10) + draw(`${company} ${n} days`, 3),
    ago: draw(`${company} ${n} ago`, 12),
  }
}
