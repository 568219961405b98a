import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../../tests/support/database.ts'
import type { Ctx } from '../../../auth/context.server.ts'
import { COMPANY_SORTS, foldText } from '../company.ts'
import { insertCompanies, type NewCompany } from '../company-commands.server.ts'
import { listCompanies } from '../company-queries.server.ts'
import { planSearch } from './company-sample.server.ts'
import {
  byName,
  countMatches,
  createSuggestions,
  firstMatches,
  suggestCompanies,
} from './company-search.server.ts'

const { as } = withDatabase()

const add = (ctx: Ctx, ...companies: (Partial<NewCompany> & { name: string })[]) =>
  insertCompanies(
    ctx,
    companies.map((company) => ({ category: 'Technology', ...company })),
  )

const names = (companies: { name: string }[]) => companies.map(({ name }) => name)

/** What the specification says, word for word, however long it takes. */
const naively = async (ctx: Ctx, text: string, limit = 20) =>
  (
    await ctx.db.query<{ id: string }>(sql`
      select id from companies where strpos(search_text, ${foldText(text)}) > 0
       order by name_key, id limit ${limit}`)
  ).map(({ id }) => id)

/** Few letters and many signs, so that texts meet. */
const PIECES = [
  'a',
  'b',
  'e',
  'i',
  'n',
  'o',
  's',
  't',
  'an',
  'tion',
  'Work',
  'Æ',
  'é',
  'ß',
  'ñ',
  'İ',
  'Ł',
  'ж',
  '日',
  '本',
  '株式会社',
  '한',
  '😀',
  '👩‍💻',
  '%',
  '_',
  '\\',
  '\\%',
  '.*',
  '(',
  '|',
  '$',
  '^',
  "'",
  '"',
  '&',
  '-',
  ' ',
  '  ',
] as const

const text = (least: number, most: number) =>
  fc.array(fc.constantFrom(...PIECES), { minLength: least, maxLength: most }).map((p) => p.join(''))

const company = fc.record({
  name: text(1, 8).map((name) => name.slice(0, 100) || 'a'),
  category: fc.constantFrom('Technology', 'Food & Beverage', 'Ärzte', '100%_'),
  description: fc.option(text(0, 30)),
})

const SEED = { seed: 20_260_314, numRuns: 1 } as const

test('Spec §7.2: suggestions are those that contain the text, by name, at most twenty', () =>
  as('vera', async (ctx) => {
    const companies = fc.sample(company, { ...SEED, numRuns: 400 })
    await add(ctx, ...companies)
    const searched = [
      ...fc.sample(text(2, 4), { ...SEED, numRuns: 150 }),
      // What stands in a company for certain, from any place of it.
      ...companies.slice(0, 100).map(({ name, description }, i) => {
        const characters = [...`${description ?? name}`]
        return characters.slice(i % 5, (i % 5) + 2 + (i % 6)).join('')
      }),
      'no such text',
      'AN',
      'TiOn',
      'technology',
      'beverage',
      'ärzte',
      'arzte',
      '&',
      'y\nt',
    ]
    let found = 0
    for (const searchedFor of searched) {
      const ids = (await suggestCompanies(ctx, searchedFor)).map(({ id }) => id)
      const short = [...foldText(searchedFor)].length < 2
      expect(ids, JSON.stringify(searchedFor)).toEqual(short ? [] : await naively(ctx, searchedFor))
      found += ids.length
    }
    expect(found).toBeGreaterThan(500)
  }))

test('every way to a match, along the order, by the early names and by the grams, gives the same', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...fc.sample(company, { ...SEED, numRuns: 300 }))
    for (const searchedFor of ['an', 'ti', 'a', '😀', 'technology', '日本', '%', '\\%', 'food &']) {
      const expected = await naively(ctx, searchedFor, 1_000)
      const plan = await planSearch(ctx, { text: searchedFor })
      // What is common is met on the walk; what seems to be nowhere is looked up.
      for (const scattered of [0.9, 0])
        for (const wanted of [1, 5, 1_000]) {
          const rows = await firstMatches({ ...plan, scattered }, byName, wanted, (found) =>
            ctx.db.query<{ id: string }>(sql`select id from (${found}) f order by value, id`),
          )
          expect(
            rows.map(({ id }) => id),
            searchedFor,
          ).toEqual(expected.slice(0, wanted))
        }
      expect(await countMatches(ctx, plan, 1_000)).toBe(expected.length)
      expect(await countMatches(ctx, plan, 2)).toBe(Math.min(2, expected.length))
    }
  }))

test('every gram of a text is a gram of what contains it, as the server numbers them', () =>
  as('vera', async (ctx) => {
    const numbered = (text: string) => {
      const bytes = Buffer.from(text)
      const runs = [1, 2, 3].flatMap((length) =>
        Array.from({ length: bytes.length - length + 1 }, (_, start) =>
          Number(`0x01${bytes.subarray(start, start + length).toString('hex')}`),
        ),
      )
      return runs
    }
    for (const searchedFor of ['abc', 'nestle', '日本', '😀', '%_\\', 'ж']) {
      const [row] = await ctx.db.query<{ all: boolean }>(
        sql`select company_grams(${`x${searchedFor}y`}) @> ${numbered(searchedFor)}::integer[] as all`,
      )
      expect(row, searchedFor).toEqual({ all: true })
    }
  }))

test('early names are told from late ones', () =>
  as('vera', async (ctx) => {
    const boundsOf = async (text: string) => {
      const [row] = await ctx.db.query<{ grams: number[] }>(
        sql`select company_grams(${text}) as grams`,
      )
      const bounds = row?.grams.filter((gram) => gram >= 2 ** 25) ?? []
      return bounds.map((bound) => String.fromCharCode(bound - 2 ** 25)).join('')
    }
    expect(await boundsOf('7-eleven\n\nretail')).toBe('abcehlp')
    expect(await boundsOf('apple')).toBe('abcehlp')
    expect(await boundsOf('dell')).toBe('ehlp')
    expect(await boundsOf('zara')).toBe('')
    expect(await boundsOf('日本')).toBe('')
  }))

test('Spec §5: one character finds nothing yet, two do', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Zz Top' }, { name: '日本' })
    expect(await suggestCompanies(ctx, 'Z')).toEqual([])
    expect(await suggestCompanies(ctx, '日')).toEqual([])
    expect(await suggestCompanies(ctx, '😀')).toEqual([])
    // Of an accent alone nothing is left.
    expect(await suggestCompanies(ctx, '\u0301\u0301')).toEqual([])
    expect(names(await suggestCompanies(ctx, 'ZZ'))).toEqual(['Zz Top'])
    expect(names(await suggestCompanies(ctx, '日本'))).toEqual(['日本'])
  }))

test('Spec §7.2: a text is found in name, description and category, never across two of them', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Nestlé', description: 'Makes coffee', category: 'Food' })
    for (const searchedFor of ['nestle', 'NESTLÉ', 'stl', 'coffee', 's co', 'food', 'oo'])
      expect(names(await suggestCompanies(ctx, searchedFor)), searchedFor).toEqual(['Nestlé'])
    for (const searchedFor of ['nestlé makes', 'coffeefood', '%', '__', 'n%', '.*', 'ne|co'])
      expect(await suggestCompanies(ctx, searchedFor), searchedFor).toEqual([])
  }))

test('Spec §7.2: suggestions tell what the search box shows, and no more', () =>
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
    })
  }))

test('what changes and what goes is found as it is now', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Quagga Works' }, { name: 'Quagga Farm' })
    await ctx.db.query(sql`delete from companies where name = 'Quagga Farm'`)
    await ctx.db.query(
      sql`update companies set name = 'Zebu', name_key = 'zebu', search_text = ${'zebu\n\ntechnology'}`,
    )
    expect(await suggestCompanies(ctx, 'quagga')).toEqual([])
    expect(names(await suggestCompanies(ctx, 'ebu'))).toEqual(['Zebu'])
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
             ratings = 1, score = 1 + length(c.slug) % 5
        from companies c where c.id = s.company_id`)
    const [column, id] = {
      'a-z': ['c.name_key', 'c.id'],
      newest: ['c.created_at desc', 'c.id desc'],
      trending: ['s.views desc', 'c.id desc'],
      'highest-rated': ['s.score desc', 'c.id desc'],
      'most-discussed': ['s.threads desc', 'c.id desc'],
    }[sort] as [string, string]
    for (const [search, category] of [
      ['shop', undefined],
      ['millshop', undefined],
      ['workshop 1', undefined],
      ['p 39', undefined],
      ['e', 'Odd'],
      ['mill', 'Even'],
      ['nothing', undefined],
      ['mill', 'None'],
    ] as const) {
      const expected = await ctx.db.query<{ id: string }>(sql`
        select c.id from companies c join company_stats s on s.company_id = c.id
         where strpos(c.search_text, ${search}) > 0
           and c.category = coalesce(${category ?? null}::text, c.category)
         order by ${raw(column)}, ${raw(id)}`)
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await listCompanies(ctx, { search, category, sort, after, limit: 24 })
        expect(page).toMatchObject({ total: expected.length, totalIsExact: true })
        seen.push(...page.companies.map((company) => company.id))
        after = page.next ?? undefined
      } while (after)
      expect(seen, `${search} in ${category}`).toEqual(expected.map((company) => company.id))
    }
  }),
)

test('more matches than are counted are "more than a thousand"', () =>
  as('vera', async (ctx) => {
    await add(ctx, ...Array.from({ length: 1_002 }, (_, i) => ({ name: `Branch ${i}` })))
    const page = await listCompanies(ctx, { search: 'branch', limit: 24 })
    expect(page).toMatchObject({ total: 1_000, totalIsExact: false })
  }))

test('an answer that was given is given again for a while, whatever the case or accents', () =>
  as('vera', async (ctx) => {
    let asked = 0
    const counting: Ctx = {
      ...ctx,
      db: {
        ...ctx.db,
        query: (statement) => {
          asked++
          return ctx.db.query(statement)
        },
      },
    }
    await add(ctx, { name: 'Zürich Bank' })
    const suggestions = createSuggestions()
    const [one, two] = await Promise.all([
      suggestions(counting, 'zürich'),
      suggestions(counting, 'ZURICH'),
    ])
    expect(names(one)).toEqual(['Zürich Bank'])
    expect(two).toBe(one)
    const before = asked
    expect(await suggestions(counting, 'Zurich')).toBe(one)
    expect(asked).toBe(before)
    expect(names(await suggestions(counting, 'bank'))).toEqual(['Zürich Bank'])
    expect(asked).toBeGreaterThan(before)
  }))

test('an answer that failed is asked for again', () =>
  as('vera', async (ctx) => {
    await add(ctx, { name: 'Acme' })
    // The sample of the companies is there by now; only the search itself fails.
    await suggestCompanies(ctx, 'acme')
    const suggestions = createSuggestions()
    const failing: Ctx = {
      ...ctx,
      db: { ...ctx.db, query: () => Promise.reject(new Error('down')) },
    }
    await expect(suggestions(failing, 'acme')).rejects.toThrow('down')
    expect(names(await suggestions(ctx, 'acme'))).toEqual(['Acme'])
  }))
