/** When numbers about pay are published, on a real database. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { companyById } from '#app/companies/company-queries.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { payOf } from '#tests/support/pay.ts'
import { removePayOf } from './pay-commands.server.ts'
import { publishPay } from './pay-publication.server.ts'
import { companyPay, companyPayCsv, titlePay } from './pay-queries.server.ts'

const { as } = withDatabase()

const cells = ({ db }: Ctx) =>
  db.query<{ entries: number }>(sql`
    select title, area, entries, verified, quartiles -> 'base' as base from pay_cells
     order by company_id nulls last, title nulls first`)

test('numbers of ten people appear in the nightly run, and change with five people’s', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await payOf(ctx, id, 9)
    expect(await publishPay(ctx)).toBe(0)
    await payOf(ctx, id, 3)
    expect(await publishPay(ctx)).toBe(3)
    const first = await cells(ctx)
    expect(first).toMatchObject([
      { title: null, area: null, entries: 10, verified: 2 },
      { title: 'nurse', area: null, entries: 10 },
      { title: 'nurse', area: 'CH/bern', entries: 10 },
    ])
    await payOf(ctx, id, 4)
    expect(await publishPay(ctx)).toBe(0)
    expect(await cells(ctx)).toEqual(first)
    await payOf(ctx, id, 1)
    await publishPay(ctx)
    expect((await cells(ctx)).map(({ entries }) => entries)).toEqual([15, 15, 15])
  }))

test('at the turn of a quarter, what one person changed is published, too', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await payOf(ctx, id, 15)
    await publishPay(ctx)
    await ctx.db.query(sql`
      update pay_entries set title = null, area = null, currency = null, base = null, bonus = null,
             equity = null, experience = null
       where base = 75000`)
    expect(await publishPay(ctx)).toBe(0)
    const later = { ...ctx, now: () => new Date('2026-04-01T03:30:00Z') }
    await publishPay(later)
    expect((await cells(ctx)).map(({ entries }) => entries)).toEqual([10, 10, 10])
    expect(await publishPay(later)).toBe(0)
  }))

test('nothing is left of a deleted company, except in the next numbers across companies', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await payOf(ctx, id, 12)
    await publishPay(ctx)
    await removePayOf(ctx.db, id)
    expect(await cells(ctx)).toMatchObject([{ area: 'CH/bern' }])
    await publishPay(ctx)
    expect(await cells(ctx)).toEqual([])
  }))

test('everyone reads the last year that enough gave, by title, area and company, and all years as a file', () =>
  as('vera', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    expect(await companyPay(ctx.db, id)).toEqual({ formerIds: [], cells: [] })
    expect((await companyById(ctx, id)).pay).toBeNull()
    await payOf(ctx, id, 12)
    await payOf(ctx, id, 6, 'cook')
    await ctx.db.query(sql`
      insert into pay_entries
      select gen_random_uuid(), company_id, 2025, gen_random_uuid(), holder_key_hash, removal_key_hash, version, month, title, area, currency,
             base, bonus, equity, experience, is_verified
        from pay_entries where title = 'nurse'`)
    await publishPay(ctx)
    const { cells } = await companyPay(ctx.db, id)
    expect(cells.map(({ title, year, entries }) => [title, year, entries])).toEqual([
      [null, 2026, 15],
      ['nurse', 2026, 10],
    ])
    const [from, , to] = cells[0]?.quartiles.total ?? []
    expect((await companyById(ctx, id)).pay).toEqual({ year: 2026, currency: 'CHF', from, to })
    expect(await titlePay(ctx.db, 'nurse')).toMatchObject({
      areas: [{ area: 'CH/bern', year: 2026, currency: 'CHF' }],
      companies: [{ company: { name: 'Erin and Sons' }, entries: 10 }],
    })
    expect(await titlePay(ctx.db, 'cook')).toEqual({ areas: [], companies: [] })
    const rows = (await companyPayCsv(ctx.db, id)).split('\r\n')
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual([
      'year,title,currency,entries',
      ...['2025,,CHF,10', '2025,nurse,CHF,10', '2026,,CHF,15', '2026,nurse,CHF,10', ''],
    ])
    // Nothing that an answer has tells which entries it's made of.
    expect(Object.keys(cells[0] ?? {}).toSorted()).toEqual([
      'currency',
      'entries',
      'quartiles',
      'title',
      'verified',
      'year',
    ])
  }))
