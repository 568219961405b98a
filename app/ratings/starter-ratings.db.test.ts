/** The made-up ratings that a demo site opens with. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { counterDrift } from '#app/commands/counting.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { companyNotes } from './rating-queries.server.ts'
import { loadStarterRatings } from './starter-ratings.server.ts'

const { as } = withDatabase()

test('some 150 ratings of made-up companies, 5 to 25 each, are added once, with exact counters', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    expect(await loadStarterRatings(ctx, { minShown: 1 })).toBeGreaterThan(140)
    expect(await loadStarterRatings(ctx, { minShown: 1 })).toBe(0)
    const companies = await ctx.db.query<Record<'demo' | 'n' | 'notes' | 'months', number>>(sql`
      select company.demo, count(*) as n, count(distinct rating.month) as months,
             count(*) filter (where note <> '') as notes
        from public_ratings rating join companies company on company.id = rating.company_id
       group by company.id`)
    expect(companies).toHaveLength(12)
    for (const { demo, n, notes, months } of companies) {
      expect(demo).toBe(true)
      expect(n).toBeGreaterThanOrEqual(5)
      expect(n).toBeLessThanOrEqual(25)
      expect(notes).toBeGreaterThan(1)
      expect(months).toBeGreaterThan(3)
    }
    expect(await counterDrift(ctx.db, { today: '2026-03-14', minShown: 1 })).toEqual([])
    const future = await ctx.db.query(sql`select from ratings where month > '2026-03-01'`)
    expect(future).toEqual([])
    // They disagree, because people never all agree.
    const [spread] = await ctx.db.query<{ least: number }>(sql`
      select min(spread)::float8 as least from (
        select max(culture) - min(culture) as spread from ratings group by company_id) companies`)
    expect(spread?.least).toBeGreaterThanOrEqual(1)
    const helpful = await ctx.db.query(sql`
      select from public_ratings rating
       where helpful <> (select count(*) from rating_votes where rating_id = rating.id)`)
    expect(helpful).toEqual([])
    const [company] = await ctx.db.query<{ id: string }>(
      sql`select id from companies where name = 'Lampwright Systems'`,
    )
    const { notes } = await companyNotes(ctx, company?.id as string)
    expect(notes[0]?.month).toBe('2026-03')
  }))
