import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { companyContract } from './company.contract.ts'
import { insertCompanies } from './company-commands.server.ts'
import { companyBySlug, compareCompanies } from './company-queries.server.ts'
import { NO_FACTS } from './edits/company-facts.ts'

const { as } = withDatabase()

const add = (ctx: Ctx, ...names: string[]) =>
  insertCompanies(
    ctx,
    names.map((name) => ({ name, category: 'Tea' })),
  )
const names = ({ companies }: { companies: { name: string }[] }) => companies.map((it) => it.name)
const { ok } = companyContract['GET /api/v1/companies/compare']

test('companies are in the address’s order, once each, by slug, former slug or id', () =>
  as('vera', async (ctx) => {
    await add(ctx, 'Acme', 'Brine', 'Cedar')
    const { id } = await companyBySlug(ctx, 'cedar')
    const brine = await companyBySlug(ctx, 'brine')
    await ctx.db.query(sql`insert into company_old_slugs values ('before', ${brine.id})`)
    expect(names(await compareCompanies(ctx, `${id}, before,ACME`))).toEqual([
      'Cedar',
      'Brine',
      'Acme',
    ])
    expect(names(await compareCompanies(ctx, `cedar,${id},acme,acme`))).toEqual(['Cedar', 'Acme'])
  }))

test('unknown companies are named and left out, and so is a fifth one', () =>
  as('vera', async (ctx) => {
    await add(ctx, 'A', 'B', 'C', 'D', 'E')
    expect(names(await compareCompanies(ctx, 'a,b,c,d,e'))).toEqual(['A', 'B', 'C', 'D'])
    const nobody = '00000000-0000-4000-8000-000000000bad'
    const found = ok.parse(await compareCompanies(ctx, `a,nobody,${nobody}`))
    expect(names(found)).toEqual(['A'])
    expect(found.unknown).toEqual(['nobody', nobody])
    expect(await compareCompanies(ctx, ' , ')).toEqual({ companies: [], unknown: [] })
  }))

test('each company has its known facts', () =>
  as('vera', async (ctx) => {
    const acme = {
      headquarters: 'Leuven',
      country: 'BE',
      size: '51-200',
      legalForm: 'GmbH',
    } as const
    await insertCompanies(ctx, [
      { name: 'Acme', category: 'Tea', ...acme },
      { name: 'Brine', category: 'Tea' },
    ])
    const { companies } = ok.parse(await compareCompanies(ctx, 'acme,brine'))
    expect(companies).toMatchObject([acme, NO_FACTS])
  }))

test('each company has its policy, and the office days that enough raters report', () =>
  as('vera', async (ctx) => {
    await add(ctx, 'Acme')
    const { id } = await companyBySlug(ctx, 'acme')
    const rate = (days: number) =>
      ctx.db.query(sql`
        insert into public_ratings (id, company_id, month, rto, office_days)
        values (gen_random_uuid(), ${id}, '2026-03-01', 4, ${days})`)
    await ctx.db.query(sql`
      insert into company_policies (company_id, mode, days) values (${id}, 'office', null),
        (${id}, 'hybrid', 2)`)
    for (let n = 0; n < 4; n++) await rate(3)
    expect((await compareCompanies(ctx, 'acme')).companies[0]).toMatchObject({
      policy: { mode: 'hybrid', days: 2 },
      officeDays: null,
    })
    await rate(4)
    const [acme] = ok.parse(await compareCompanies(ctx, 'acme')).companies
    expect(acme?.officeDays).toEqual({ mean: 3.2, ratings: 5 })
  }))
