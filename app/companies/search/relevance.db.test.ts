import { expect, test } from 'vitest'
import { unwantedFirsts } from '#app/companies/search/wanted-companies.fixture.ts'
import { withDatabase } from '#tests/support/database.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { loadStarterCompanies } from '../starter-companies.server.ts'
import { suggestCompanies } from './company-search.server.ts'

const { as } = withDatabase()

test('98 of 100 texts have the wanted company first', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const { texts, wrong } = await unwantedFirsts(ctx)
    expect(texts).toBeGreaterThanOrEqual(120)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(texts * 0.02)
  }))

test('"micr" shows Microsoft first or second, "ge" reaches GE', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const names = async (text: string) => (await suggestCompanies(ctx, text)).map((it) => it.name)
    expect((await names('micr')).slice(0, 2)).toContain('Microsoft')
    await insertCompanies(ctx, [{ name: 'GE', category: 'Industrial Manufacturing' }])
    expect((await names('ge'))[0]).toBe('GE')
  }))
