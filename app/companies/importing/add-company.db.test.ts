/** An administrator adds a company by hand. Spec §3, §6 (canAddCompany). */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { callsOf } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { companyBySlug } from '../company-queries.server.ts'
import { LOGO_FETCH_TASK } from '../logos/logo-commands.server.ts'
import { addCompany } from './add-company.server.ts'
import { addedCompanyProblems, EMPTY_COMPANY } from './added-company.ts'
import { IMPORTED_LOGO_TASK } from './import-commands.server.ts'
import { addedCompanyContract } from './imports.contract.ts'

const { as } = withDatabase()

const calls = callsOf(addedCompanyContract, {
  'POST /api/v1/company-additions': (ctx, { body }) => addCompany(ctx, body),
})
const add = (ctx: Ctx, form: Partial<typeof EMPTY_COMPANY> & { isAnother?: boolean }) =>
  calls(ctx)('POST /api/v1/company-additions', {
    body: { ...EMPTY_COMPANY, isAnother: false, ...form },
  })
const jobs = ({ db }: Ctx) =>
  db.query(sql`select kind, payload - 'companyId' as payload from job_queue`)

const quillfeather = {
  name: '  Quillfeather  Umbrellas ',
  category: 'Retail',
  website: 'quillfeather.example',
  logoUrl: 'https://quillfeather.example/logo.png',
  description: 'Umbrellas that open.',
}

test.each(['ada', 'olga'] as const)('Spec §6: %s adds a company in five fields', (name) =>
  as(name, async (ctx) => {
    expect(await add(ctx, quillfeather)).toEqual({
      company: { name: 'Quillfeather Umbrellas', path: '/quillfeather-umbrellas' },
      double: null,
    })
    expect(await companyBySlug(ctx, 'quillfeather-umbrellas')).toMatchObject({
      category: 'Retail',
      website: 'https://quillfeather.example',
      description: 'Umbrellas that open.',
      logoUrl: null,
    })
    expect(await jobs(ctx)).toEqual([
      { kind: IMPORTED_LOGO_TASK, payload: { url: 'https://quillfeather.example/logo.png' } },
    ])
    expect(await ctx.db.query(sql`select action, subject from admin_log`)).toEqual([
      { action: 'add-company', subject: 'Quillfeather Umbrellas' },
    ])
  }),
)

test.each(['vera', 'dana', 'erin'] as const)('Spec §6: %s can’t add a company', (name) =>
  as(name, async (ctx) => {
    await expect(add(ctx, quillfeather)).rejects.toMatchObject({
      status: name === 'vera' ? 401 : 403,
    })
    expect(await ctx.db.query(sql`select from companies where name like 'Quill%'`)).toEqual([])
  }),
)

test('a duplicate is found by name or website, and added only if you confirm it', () =>
  as('ada', async (ctx) => {
    await add(ctx, { name: 'Acme', website: 'acme.example' })
    const acme = { name: 'Acme', path: '/acme' }
    expect(await add(ctx, { name: 'ACME!' })).toEqual({ company: null, double: acme })
    expect(await add(ctx, { name: 'Anvils', website: 'www.acme.example/about' })).toEqual({
      company: null,
      double: acme,
    })
    expect(await ctx.db.query(sql`select from companies`)).toHaveLength(1)
    expect(await add(ctx, { name: 'Acme', isAnother: true })).toMatchObject({
      company: { name: 'Acme', path: '/acme-2' },
    })
  }))

test('a company without a category is Other, and the site looks for its logo', () =>
  as('ada', async (ctx) => {
    await add(ctx, { name: 'Acme', website: 'acme.example' })
    expect((await companyBySlug(ctx, 'acme')).category).toBe('Other')
    expect(await jobs(ctx)).toEqual([{ kind: LOGO_FETCH_TASK, payload: {} }])
  }))

test('a form with errors names them by field and stores nothing', () =>
  as('ada', async (ctx) => {
    const wrong = {
      name: ' ',
      category: 'x'.repeat(61),
      website: 'ftp://acme.example',
      logoUrl: 'javascript:alert(1)',
      description: 'x'.repeat(501),
    }
    expect(addedCompanyProblems(wrong)).toEqual({
      name: 'A company needs a name',
      category: 'A category can have at most 60 characters',
      website: 'The website must start with http:// or https://',
      logoUrl: 'The logo’s address must start with http:// or https://',
      description: 'A description can have at most 500 characters',
    })
    await expect(add(ctx, wrong)).rejects.toMatchObject({ status: 400 })
    expect(await ctx.db.query(sql`select from companies`)).toEqual([])
  }))
