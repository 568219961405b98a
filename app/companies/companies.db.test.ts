import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { CompanyPageView, CompanyView, companyContract } from './company.contract.ts'
import { COMPANY_SORTS } from './company.ts'
import { insertCompanies, type NewCompany } from './company-commands.server.ts'
import {
  companyById,
  companyBySlug,
  companyCategories,
  highestRatedCompanies,
  listCompanies,
  recentCompanies,
  trendingCompanies,
} from './company-queries.server.ts'
import { loadStarterCompanies } from './starter-companies.server.ts'
import { companyViews } from './tracking/tracking-queries.server.ts'

const { as } = withDatabase()

const add = (ctx: Ctx, ...companies: (Partial<NewCompany> & { name: string })[]) =>
  insertCompanies(
    ctx,
    companies.map((company) => ({ category: 'Technology', ...company })),
  )

const setStats = (
  ctx: Ctx,
  name: string,
  stats: Partial<
    Record<'views' | 'threads' | 'comments' | 'recentComments' | 'ratings' | 'score', number>
  >,
) => {
  const { views = 0, threads = 0, comments = 0, recentComments = 0, ratings = 0, score = 0 } = stats
  return ctx.db.query(sql`
    update company_stats set views = ${views}, threads = ${threads}, comments = ${comments},
      recent_comments = ${recentComments}, ratings = ${ratings}, score = ${score}
     where company_id = (select id from companies where name = ${name})`)
}

const names = (companies: { name: string }[]) => companies.map(({ name }) => name)

test('Spec §7.2: trending companies are sorted by view count, most first', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Quiet' }, { name: 'Loud' }, { name: 'Middling' })
    await setStats(ctx, 'Loud', { views: 90 })
    await setStats(ctx, 'Middling', { views: 9 })
    expect(names(await trendingCompanies(ctx, 10))).toEqual(['Loud', 'Middling', 'Quiet'])
    expect(await trendingCompanies(ctx, 2)).toHaveLength(2)
  }))

test('companies with equal views are sorted by recent comments, then threads, then ratings', () =>
  as('vera', async (ctx) => {
    const liveliest = ['Seen', 'Heard', 'Spoken', 'Rated', 'Silent']
    await add(ctx, ...liveliest.toReversed().map((name) => ({ name })))
    await setStats(ctx, 'Seen', { views: 2 })
    await setStats(ctx, 'Heard', { views: 1, recentComments: 3 })
    await setStats(ctx, 'Spoken', { views: 1, recentComments: 2, threads: 4, ratings: 1 })
    await setStats(ctx, 'Rated', { views: 1, recentComments: 2, threads: 4 })
    await setStats(ctx, 'Silent', { views: 1, recentComments: 2, threads: 3, ratings: 9 })
    expect(names(await trendingCompanies(ctx, 10))).toEqual(liveliest)
    const listed: string[] = []
    let after: string | undefined
    do {
      const page = await listCompanies(ctx, { sort: 'trending', limit: 2, after })
      listed.push(...names(page.companies))
      after = page.next ?? undefined
    } while (after)
    expect(listed).toEqual(liveliest)
  }))

test('Spec §7.2: recently added companies are sorted by creation, newest first', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Old', createdAt: new Date('2020-01-01') },
      { name: 'New', createdAt: new Date('2026-01-01') },
    )
    await setStats(ctx, 'Old', { threads: 7 })
    const companies = await recentCompanies(ctx, 12)
    expect(names(companies)).toEqual(['New', 'Old'])
    expect(companies.map(({ threadCount }) => threadCount)).toEqual([0, 7])
  }))

test('Spec §7.2: highest rated companies have ratings, best first', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Unrated' }, { name: 'Good' }, { name: 'Best' })
    await setStats(ctx, 'Good', { ratings: 2, score: 4 })
    await setStats(ctx, 'Best', { ratings: 2, score: 4.75, threads: 3 })
    const companies = await highestRatedCompanies(ctx, 12)
    expect(names(companies)).toEqual(['Best', 'Good'])
    expect(companies.map(({ threadCount }) => threadCount)).toEqual([3, 0])
    expect(companies[0]?.rating).toBe(4.75)
  }))

test.each([
  ['trending', 10],
  ['recent', 12],
  ['highest-rated', 12],
] as const)(
  'Spec §7.2: the call for %s companies gives %i unless told otherwise',
  (list, limit) => {
    const { query } = companyContract[`GET /api/v1/companies/${list}`]
    expect(query.parse({})).toEqual({ limit })
    expect(query.parse({ limit: '8' })).toEqual({ limit: 8 })
  },
)

test('Spec §7.2: the list by creation is newest first, with a limit and a range', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      ...['2024', '2026', '2025'].map((year) => ({ name: year, createdAt: new Date(year) })),
    )
    const first = await listCompanies(ctx, { sort: 'newest', limit: 2 })
    expect(names(first.companies)).toEqual(['2026', '2025'])
    const after = first.next ?? undefined
    const second = await listCompanies(ctx, { sort: 'newest', limit: 2, after })
    expect(names(second.companies)).toEqual(['2024'])
    // The default order.
    expect(await listCompanies(ctx, { limit: 2 })).toEqual(first)
  }))

test('Spec §2.6: only the most viewed companies have the trending badge, never one without views', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...Array.from({ length: 12 }, (_, i) => ({ name: `Company ${i}` })))
    expect((await trendingCompanies(ctx, 12)).some((company) => company.trending)).toBe(false)
    for (let i = 0; i < 12; i++) await setStats(ctx, `Company ${i}`, { views: i })
    const badges = (await trendingCompanies(ctx, 12)).filter((company) => company.trending)
    expect(names(badges)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((i) => `Company ${i}`))
  }))

test('no answer has a view count, because only administrators see it (Spec §2.6)', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    // Longer than any row of digits that an id can hold.
    await setStats(ctx, 'Acme', { views: 4_117_241_172_411 })
    const { companies } = await listCompanies(ctx, { limit: 5 })
    expect(JSON.stringify([companies.map((it) => CompanyView.parse(it))])).not.toContain(
      '4117241172411',
    )
    expect(JSON.stringify(await companyBySlug(ctx, 'acme'))).not.toContain('4117241172411')
  }))

test('Spec §3: a company’s answer has its facts, and what’s counted and calculated from them', () =>
  as('vera', async (ctx) => {
    await add(ctx, {
      name: 'Acme Kettles',
      category: 'Tea',
      description: 'They make kettles.',
      createdAt: new Date('2026-01-02T03:04:05Z'),
    })
    await setStats(ctx, 'Acme Kettles', {
      views: 9,
      threads: 2,
      comments: 5,
      ratings: 1,
      score: 4.5,
    })
    const company = CompanyPageView.parse(await companyBySlug(ctx, 'acme-kettles'))
    expect(company).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-/),
      name: 'Acme Kettles',
      category: 'Tea',
      description: 'They make kettles.',
      logoUrl: null,
      rating: 4.5,
      createdAt: expect.stringMatching(/^2026-01-02T/),
      threadCount: 2,
      commentCount: 5,
      recentCommentCount: 0,
      slug: 'acme-kettles',
      trending: true,
    })
    expect(await companyViews(ctx, [company.id])).toEqual({ views: [{ id: company.id, views: 9 }] })
  }))

test('a company without ratings has null for each category, and one with ratings their means', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    const none = { rto: null, dei: null, workLife: null, culture: null }
    expect((await companyBySlug(ctx, 'acme')).categoryRatings).toEqual(none)
    await ctx.db.query(sql`update company_stats set rto = 3.5`)
    const page = CompanyPageView.parse(await companyBySlug(ctx, 'acme'))
    expect(page.categoryRatings).toEqual({ ...none, rto: 3.5 })
  }))

test('Spec §2.1: a company is found by slug, by id, and by its name with hyphens as spaces', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme Kettles' })
    const company = await companyBySlug(ctx, 'acme-kettles')
    expect((await companyById(ctx, company.id)).name).toBe('Acme Kettles')
    expect((await companyBySlug(ctx, 'ACME-Kettles')).id).toBe(company.id)
    await ctx.db.query(sql`update companies set slug = 'something-else'`)
    expect((await companyBySlug(ctx, 'acme-kettles')).slug).toBe('something-else')
  }))

test('S13: a former slug still finds the company', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    await ctx.db.query(sql`insert into company_old_slugs select 'before', id from companies`)
    expect((await companyBySlug(ctx, 'before')).slug).toBe('acme')
  }))

test('S13: a repeated name, a route’s name and a name of symbols get their own slugs', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    await add(ctx, { name: 'ACME' }, { name: 'acmé' }, { name: 'Settings' }, { name: '!!!' })
    const rows = await ctx.db.query<{ slug: string | null }>(
      sql`select slug from companies order by slug nulls last`,
    )
    expect(rows.map((row) => row.slug)).toEqual([
      'acme',
      'acme-2',
      'acme-3',
      'settings-company',
      null,
    ])
  }))

test('S13: a company’s former slug never goes to another', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Other' })
    await ctx.db.query(sql`insert into company_old_slugs select 'acme', id from companies`)
    await add(ctx, { name: 'Acme' })
    const [acme] = await ctx.db.query(sql`select slug from companies where name = 'Acme'`)
    expect(acme).toEqual({ slug: 'acme-2' })
  }))

test('Spec §8: an unknown company is a 404 with a sentence', () =>
  as('vera', async (ctx) => {
    await expect(companyBySlug(ctx, 'nobody')).rejects.toMatchObject({ status: 404 })
    const nobody = '00000000-0000-4000-8000-000000000000'
    await expect(companyById(ctx, nobody)).rejects.toMatchObject({ status: 404 })
  }))

test.each(COMPANY_SORTS)(
  'the list sorted by %s shows each company once over all its pages',
  (sort) =>
    as('vera', async (ctx) => {
      await add(
        ctx,
        ...Array.from({ length: 23 }, (_, i) => ({
          name: `Company ${String(i % 7)}`,
          createdAt: new Date(Date.UTC(2026, 0, 1 + (i % 5))),
        })),
      )
      await ctx.db.query(sql`update company_stats set views = 3, threads = 2 where company_id in (
      select id from companies where name in ('Company 1', 'Company 2'))`)
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await listCompanies(ctx, { sort, limit: 5, after })
        seen.push(...page.companies.map((company) => company.id))
        after = page.next ?? undefined
        expect(page.total).toBe(23)
      } while (after)
      expect(new Set(seen).size).toBe(23)
      expect(seen).toHaveLength(23)
    }),
)

test('a page marker that’s invalid or of another order is refused', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'One' }, { name: 'Two' })
    const { next } = await listCompanies(ctx, { sort: 'a-z', limit: 1 })
    for (const after of ['garbage', '', 'WyJhLXoiXQ', `${next}x`, 'bnVsbA'])
      await expect(listCompanies(ctx, { sort: 'a-z', limit: 1, after })).rejects.toMatchObject({
        status: 400,
      })
    await expect(
      listCompanies(ctx, { sort: 'newest', limit: 1, after: next ?? '' }),
    ).rejects.toMatchObject({ status: 400 })
  }))

test('categories are those in use, with exact counts after companies come, move and go', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'A', category: 'Tea' },
      { name: 'B', category: 'Tea' },
      { name: 'C', category: 'Ships' },
    )
    expect(await companyCategories(ctx)).toEqual([
      { name: 'Ships', companies: 1 },
      { name: 'Tea', companies: 2 },
    ])
    await ctx.db.query(sql`update companies set category = 'Ships' where name = 'A'`)
    await ctx.db.query(sql`delete from companies where name = 'B'`)
    expect(await companyCategories(ctx)).toEqual([{ name: 'Ships', companies: 2 }])
  }))

test('a deleted company takes its counters and former slugs along', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'A' })
    await ctx.db.query(sql`insert into company_old_slugs select 'before', id from companies`)
    await ctx.db.query(sql`delete from companies`)
    expect(await ctx.db.query(sql`select from company_stats`)).toHaveLength(0)
    expect(await ctx.db.query(sql`select from company_old_slugs`)).toHaveLength(0)
  }))

test('similar companies share the category and exclude the company itself', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name, category: 'Tea' })), {
      name: 'Ship',
      category: 'Ships',
    })
    await setStats(ctx, 'F', { threads: 5 })
    const { similar } = await companyBySlug(ctx, 'c')
    expect(similar).toHaveLength(4)
    expect(names(similar)[0]).toBe('F')
    expect(names(similar)).not.toContain('C')
    expect(names(similar)).not.toContain('Ship')
    expect((await companyBySlug(ctx, 'ship')).similar).toEqual([])
  }))

test('a made-up company is similar only to made-up ones, and a real one to none of them', () =>
  as('vera', async (ctx) => {
    const isDemo = true
    await add(ctx, ...['A', 'B'].map((name) => ({ name, category: 'Tea' })))
    await add(ctx, { name: 'Mad Hatter', category: 'Tea', isDemo }, { name: 'Snark', isDemo })
    expect(names((await companyBySlug(ctx, 'a')).similar)).toEqual(['B'])
    expect(names((await companyBySlug(ctx, 'mad-hatter')).similar)).toEqual(['Snark'])
  }))

test('the starter has real companies of many categories, each with a description', () =>
  as('vera', async (ctx) => {
    const added = await loadStarterCompanies(ctx, 'companies')
    expect(added).toBeGreaterThanOrEqual(150)
    expect((await companyCategories(ctx)).length).toBeGreaterThanOrEqual(18)
    const bare = await ctx.db.query(
      sql`select name from companies where website is null or description is null or slug is null`,
    )
    expect(bare).toEqual([])
  }))

test('the starter invents no ratings, threads or views of real companies, and marks made-up ones', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    const counted = await ctx.db.query(sql`
      select from company_stats join companies on id = company_id
       where ratings + threads + comments + case when demo then 0 else views end > 0`)
    expect(counted).toHaveLength(0)
    const demo = await ctx.db.query(sql`select from companies where demo`)
    expect(demo).toHaveLength(12)
    expect((await trendingCompanies(ctx, 12)).every((company) => company.demo)).toBe(true)
  }))

test('the starter doesn’t change a database with companies', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Mine' })
    expect(await loadStarterCompanies(ctx, 'demo')).toBe(0)
    expect(await ctx.db.query(sql`select from companies`)).toHaveLength(1)
    expect(await loadStarterCompanies(ctx, 'none')).toBe(0)
  }))

test('lists are filtered by ratings, discussions, current policy and country, in every order and search', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Acme Rated', country: 'BE' },
      { name: 'Acme Discussed', country: 'BE' },
      { name: 'Acme Remote', country: 'NO' },
      { name: 'Acme Quiet', category: 'Tea' },
    )
    await setStats(ctx, 'Acme Rated', { ratings: 5, score: 4 })
    await setStats(ctx, 'Acme Discussed', { threads: 2 })
    await ctx.db.query(sql`
      insert into company_policies (company_id, mode)
      select c.id, said.mode from (values (1, 'Acme Remote', 'office'), (2, 'Acme Remote', 'remote'),
                                          (3, 'Acme Rated', 'office')) said(nth, name, mode)
        join companies c on c.name = said.name order by nth`)
    for (const [filters, expected] of [
      [{ rated: 'yes' }, ['Acme Rated']],
      [{ discussed: 'yes' }, ['Acme Discussed']],
      [{ policy: 'remote' }, ['Acme Remote']],
      [{ policy: 'office' }, ['Acme Rated']],
      [{ country: 'BE' }, ['Acme Discussed', 'Acme Rated']],
      [{ country: 'BE', rated: 'yes' }, ['Acme Rated']],
      [{ category: 'Tea', country: 'BE' }, []],
    ] as const)
      for (const sort of COMPANY_SORTS)
        for (const search of [undefined, 'acme']) {
          const page = await listCompanies(ctx, { ...filters, search, sort, limit: 5 })
          expect(names(page.companies).toSorted()).toEqual(expected)
          expect(page).toMatchObject({ total: expected.length, totalIsExact: true, next: null })
        }
  }))
