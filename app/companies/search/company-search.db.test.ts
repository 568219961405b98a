import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { driftOf } from '#app/platform/database/counter.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { COMPANY_SORTS } from '../company.ts'
import { insertCompanies, type NewCompany } from '../company-commands.server.ts'
import { companyCounters } from '../company-counters.server.ts'
import { listCompanies } from '../company-queries.server.ts'
import { applyCompanyChanges } from '../edits/change-commands.server.ts'
import { suggestCompanies } from './company-search.server.ts'
import { makeMissingKeys } from './key-commands.server.ts'

const { as } = withDatabase()

const add = (ctx: Ctx, ...companies: (Partial<NewCompany> & { name: string })[]) =>
  insertCompanies(
    ctx,
    companies.map((company) => ({ category: 'Technology', ...company })),
  )

const names = (companies: { name: string }[]) => companies.map(({ name }) => name)
const suggested = async (ctx: Ctx, text: string) => names(await suggestCompanies(ctx, text))

const say = (ctx: Ctx, name: string, comments: number) =>
  ctx.db.query(sql`
    update company_stats set comments = ${comments}
     where company_id = (select id from companies where name = ${name})`)

test('names come first, then words of names, parts of words, the category and the description', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Kettle Works', description: 'Sells lamp oil' },
      { name: 'Big Lamp' },
      { name: 'Lampworks' },
      { name: 'Lamp' },
      { name: 'Clampdown' },
      { name: 'Glow', category: 'Lamps & Light' },
      { name: 'Nothing of it' },
    )
    expect(await suggested(ctx, 'lamp')).toEqual([
      'Lamp',
      'Lampworks',
      'Big Lamp',
      'Clampdown',
      'Glow',
      'Kettle Works',
    ])
  }))

test('a description’s words are found in any form, and small words aren’t', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Brewers', description: 'C++ and co-working in the Café' })
    await add(ctx, { name: 'Roasters', description: 'It is about working together' })
    for (const text of ['c++', 'coworking', 'cafe', 'co-working']) {
      expect(await suggested(ctx, text), text).toEqual(['Brewers'])
    }
    expect(await suggested(ctx, 'about it')).toEqual([])
  }))

test('equally good results are sorted by how much people discuss them, then by name', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Tea Zoo' },
      { name: 'Tea Ant' },
      { name: 'Tea Bee' },
      { name: 'Big Tea' },
    )
    expect(await suggested(ctx, 'tea')).toEqual(['Tea Ant', 'Tea Bee', 'Tea Zoo', 'Big Tea'])
    await say(ctx, 'Tea Zoo', 3)
    await say(ctx, 'Big Tea', 5_000)
    expect(await suggested(ctx, 'tea')).toEqual(['Tea Zoo', 'Tea Ant', 'Tea Bee', 'Big Tea'])
    // Twice as many is the next class, but slightly more isn't.
    await say(ctx, 'Tea Ant', 4)
    expect((await suggested(ctx, 'tea'))[0]).toBe('Tea Ant')
    await say(ctx, 'Tea Bee', 1_000_000_000)
    expect((await suggested(ctx, 'tea'))[0]).toBe('Tea Bee')
  }))

test('the exact name beats one that adds a legal form, and a beginning beats initials', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'AT&T' },
      { name: 'AT&T Company AG' },
      { name: 'Attic' },
      { name: 'All The Tea' },
    )
    await say(ctx, 'AT&T Company AG', 100)
    await say(ctx, 'All The Tea', 100)
    expect(await suggested(ctx, 'att')).toEqual(['AT&T', 'AT&T Company AG', 'Attic', 'All The Tea'])
  }))

test('keys change only with a company’s class of fame, and a recount finds nothing wrong', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    const places = () => ctx.db.query(sql`select ctid::text, fame from company_keys order by 1`)
    await say(ctx, 'Acme', 4)
    const before = await places()
    await say(ctx, 'Acme', 6)
    expect(await places()).toEqual(before)
    await say(ctx, 'Acme', 7)
    expect(await places()).not.toEqual(before)
    expect(await driftOf(ctx.db, companyCounters)).toEqual([])
  }))

test('Spec §7.2: a text is found in any case, with or without accents, punctuation and spaces', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Nestlé', description: 'Makes coffee in a Café', category: 'Food' },
      { name: 'AT&T', category: 'Phones' },
      { name: 'Łódź Ødegård', category: 'Cities' },
    )
    for (const text of ['nestle', 'NESTLÉ', ' nes tle', 'stl', 'coffee', 'food', 'cafe', 'CAFÉ'])
      expect(await suggested(ctx, text), text).toEqual(['Nestlé'])
    for (const text of ['att', 'at&t', 'AT and T', 'at & t'])
      expect(await suggested(ctx, text), text).toEqual(['AT&T'])
    for (const text of ['lodz', 'łódź', 'odegard'])
      expect(await suggested(ctx, text), text).toEqual(['Łódź Ødegård'])
    expect(await suggested(ctx, 'coffeefood')).toEqual([])
  }))

test('a typo finds a company if nothing else matches', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Microsoft' }, { name: 'Toyota' })
    for (const text of ['microsft', 'mircosoft', 'microosoft', 'micrasoft', 'micrsof'])
      expect(await suggested(ctx, text), text).toEqual(['Microsoft'])
    const [toyota] = await suggestCompanies(ctx, 'toyta')
    expect(toyota).toMatchObject({ name: 'Toyota', match: { in: 'slip', marks: ['toyota'] } })
    // Three letters leave too little to compare.
    expect(await suggested(ctx, 'toa')).toEqual([])
    await add(ctx, { name: 'Toytaro' })
    expect(await suggested(ctx, 'toyta')).toEqual(['Toytaro'])
  }))

test('a match outside the name says where it is', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: 'Google', aliases: ['Alphabet'], description: 'Search and maps' },
      { name: 'Acme', category: 'Tea & More', description: `${'Long words. '.repeat(20)}Kettles.` },
    )
    const match = async (text: string) => (await suggestCompanies(ctx, text))[0]?.match
    expect(await match('goo')).toEqual({ in: 'name', marks: ['goo'], text: null })
    expect(await match('alphab')).toEqual({ in: 'alias', marks: ['alphab'], text: 'Alphabet' })
    expect(await match('maps')).toEqual({
      in: 'description',
      marks: ['maps'],
      text: 'Search and maps',
    })
    expect(await match('more')).toEqual({ in: 'category', marks: ['more'], text: null })
    expect((await match('kettles'))?.text).toMatch(/^… .*Kettles\.$/)
    const { companies } = await listCompanies(ctx, { search: 'alphabet', limit: 5 })
    expect(companies).toMatchObject([{ name: 'Google', match: { in: 'alias', text: 'Alphabet' } }])
    const all = await listCompanies(ctx, { limit: 5 })
    expect(all.companies.map(({ match }) => match)).toEqual([null, null])
  }))

test('a hostile, endless or symbols-only search gets an answer', () =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      { name: '☕☕' },
      { name: '日本' },
      { name: '100%_\\' },
      { name: 'ﷺ'.repeat(120) },
    )
    for (const text of [
      '%%%',
      '__',
      '\\\\',
      "';--",
      'a:*&!|()<->',
      '!!! & |',
      ':* :*',
      '\ud800\ud800',
      'the and of',
      '-work',
      '"a',
      '\u0301\u0301\u0301',
      'ab'.repeat(50),
      'wxyz '.repeat(20),
      '\u{10ffff}\u{10ffff}',
    ])
      for (const search of [text, `${text}x`]) {
        await suggestCompanies(ctx, search)
        for (const sort of COMPANY_SORTS) await listCompanies(ctx, { search, sort, limit: 3 })
      }
    expect(await suggested(ctx, '☕☕')).toEqual(['☕☕'])
    expect(await suggested(ctx, '日本')).toEqual(['日本'])
    expect(await suggested(ctx, '100%')).toEqual(['100%_\\'])
  }))

test('Spec §5: one character finds nothing, and two do', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Zz Top' }, { name: '日本' })
    expect(await suggested(ctx, 'Z')).toEqual([])
    expect(await suggested(ctx, '日')).toEqual([])
    expect(await suggested(ctx, 'zz')).toEqual(['Zz Top'])
  }))

test('Spec §7.2: there are at most twenty suggestions', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...Array.from({ length: 25 }, (_, i) => ({ name: `Branch ${10 + i}` })))
    expect(await suggested(ctx, 'branch')).toEqual(
      Array.from({ length: 20 }, (_, i) => `Branch ${10 + i}`),
    )
  }))

test('Spec §7.2: suggestions have what the search box shows, and no more', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    const [acme] = await suggestCompanies(ctx, 'acme')
    expect(acme).toEqual({
      id: expect.any(String),
      slug: 'acme',
      name: 'Acme',
      category: 'Technology',
      logoUrl: null,
      demo: false,
      rating: null,
      match: { in: 'name', marks: ['acme'], text: null },
    })
  }))

test('a search finds a changed company as it is now, and no deleted one', () =>
  as('vera', async (ctx) => {
    const [works] = await add(ctx, { name: 'Quagga Works' }, { name: 'Quagga Farm' })
    await say(ctx, 'Quagga Works', 9)
    await ctx.db.query(sql`delete from companies where name = 'Quagga Farm'`)
    await applyCompanyChanges(ctx, works?.id as string, 'quagga-works', {
      name: { from: 'Quagga Works', to: 'Zebu' },
      category: { from: 'Technology', to: 'Stripes' },
    })
    expect(await suggested(ctx, 'quagga')).toEqual([])
    expect(await suggested(ctx, 'ebu')).toEqual(['Zebu'])
    expect(await suggested(ctx, 'technology')).toEqual([])
    expect(await suggested(ctx, 'stripes')).toEqual(['Zebu'])
    expect(await ctx.db.query(sql`select distinct fame from company_keys`)).toEqual([{ fame: 3 }])
  }))

test('a search finds an older site’s companies once their keys are made', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...Array.from({ length: 1_201 }, (_, i) => ({ name: `Former ${i}` })), {
      name: 'Renamed Meanwhile',
    })
    await say(ctx, 'Former 77', 20)
    await ctx.db.query(sql`
      insert into companies_without_keys select id from companies union select gen_random_uuid()`)
    await ctx.db.query(sql`delete from company_keys where key not like '%renamed%'`)
    expect(await suggested(ctx, 'former')).toEqual([])
    await makeMissingKeys(ctx.db)
    expect((await suggested(ctx, 'former'))[0]).toBe('Former 77')
    expect(await suggested(ctx, 'renamed')).toEqual(['Renamed Meanwhile'])
    expect(await ctx.db.query(sql`select from companies_without_keys`)).toEqual([])
    expect((await listCompanies(ctx, { search: 'former', limit: 5 })).totalIsExact).toBe(false)
    await makeMissingKeys(ctx.db)
  }))

test.each(COMPANY_SORTS)('a search sorted %s pages through every match exactly once', (sort) =>
  as('vera', async (ctx) => {
    await add(
      ctx,
      ...Array.from({ length: 230 }, (_, i) => ({
        name: `${i % 3 === 0 ? 'Mill' : 'Work'}shop ${i % 40}`,
        category: i % 2 === 0 ? 'Even' : 'Odd',
        createdAt: new Date(Date.UTC(2026, 0, 1 + (i % 20))),
      })),
    )
    await ctx.db.query(sql`
      update company_stats s set views = length(c.slug) % 7, threads = length(c.slug) % 3,
             recent_comments = length(c.slug) % 2, ratings = 1, score = 1 + length(c.slug) % 5
        from companies c where c.id = s.company_id`)
    const order = {
      'best-match': undefined,
      'a-z': 'c.name_key, c.id',
      newest: 'c.created_at desc, c.id desc',
      trending: 's.views desc, s.recent_comments desc, s.threads desc, c.id desc',
      'highest-rated': 's.score desc, c.id desc',
      'most-discussed': 's.threads desc, c.id desc',
    }[sort]
    for (const [search, category] of [
      ['shop', undefined],
      ['millshop', undefined],
      ['workshop 1', undefined],
      ['p 39', undefined],
      ['Odd', 'Odd'],
      ['mill', 'Even'],
      ['nothing', undefined],
      ['mill', 'None'],
    ] as const) {
      const expected = await ctx.db.query<{ id: string }>(sql`
        select c.id from companies c join company_stats s on s.company_id = c.id
         where (strpos(replace(c.name_key, ' ', ''), ${search.replace(' ', '')}) > 0
                or c.category = ${search})
           and c.category = coalesce(${category ?? null}::text, c.category)
         order by ${raw(order ?? 'c.id')}`)
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await listCompanies(ctx, { search, category, sort, after, limit: 24 })
        expect(page).toMatchObject({ total: expected.length, totalIsExact: true })
        seen.push(...page.companies.map((company) => company.id))
        after = page.next ?? undefined
      } while (after)
      const ids = expected.map((company) => company.id)
      expect(order ? seen : seen.toSorted(), `${search} in ${category}`).toEqual(ids)
    }
  }),
)

test('a list without a search has no best match, so it’s newest first', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' }, { name: 'Zenith' })
    const sorted = (sort: 'best-match' | 'newest') => listCompanies(ctx, { sort, limit: 1 })
    expect(await sorted('best-match')).toEqual(await sorted('newest'))
  }))

test('matches beyond the counting limit are "more than a thousand"', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...Array.from({ length: 1_002 }, (_, i) => ({ name: `Branch ${i}` })))
    const page = await listCompanies(ctx, { search: 'branch', limit: 24 })
    expect(page).toMatchObject({ total: 1_000, totalIsExact: false })
  }))
