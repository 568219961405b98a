/** Importing in steps: columns, a trial, decisions, adding, and undoing. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { csvText } from '#app/platform/csv.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { follow } from '../following/follow-commands.server.ts'
import { mergeCompany } from '../merging/merge-commands.server.ts'
import { loadStarterCompanies } from '../starter-companies.server.ts'
import type { ImportTrial } from './import-report.ts'
import { logged, past, undo, withImports } from './importing.fixture.ts'

const { as } = withDatabase()
const { ask, survey, question, attempt, add, run } = withImports()

/** In the columns of a public list; what stands in it are facts. */
const LIST = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,CIK,Founded
TSLA,"Tesla, Inc.",Consumer Discretionary,Automobile Manufacturers,"Austin, Texas",2020-12-21,1318605,2003
KO,Coca-Cola Company (The),Consumer Staples,Soft Drinks,"Atlanta, Georgia",1957-03-04,21344,1886
HD,Home Depot (The),Consumer Discretionary,Home Improvement Retail,"Atlanta, Georgia",1988-03-31,354950,1978
LLY,Lilly (Eli),Health Care,Pharmaceuticals,"Indianapolis, Indiana",1970-12-31,59478,1876
GOOGL,Alphabet Inc. (Class A),Communication Services,Interactive Media,"Mountain View, California",2014-04-03,1652044,1998
GOOG,Alphabet Inc. (Class C),Communication Services,Interactive Media,"Mountain View, California",2006-04-03,1652044,1998
AMD,Advanced Micro Devices,Information Technology,Semiconductors,"Santa Clara, California",2017-03-20,2488,1969
ABT,Abbott Laboratories,Health Care,Health Care Equipment,"North Chicago, Illinois",1957-03-04,1800,1888
FDXF,FedEx Freight,Industrials,Cargo Ground Transportation,"Memphis, Tennessee",2026-06-01,2100001,2000
AOS,A. O. Smith,Industrials,Building Products,"Milwaukee, Wisconsin",2017-07-26,91142,1916
ABBV,AbbVie,Health Care,Biotechnology,"North Chicago, Illinois",2012-12-31,1551152,2013 (1888)
FOXA,Fox Corporation (Class A),Communication Services,Broadcasting,"New York City, New York",2019-03-19,1754301,2019
FOX,Fox Corporation (Class B),Communication Services,Broadcasting,"New York City, New York",2019-03-19,1754301,2019
`
const DOUBTFUL = [6, 7, 8, 9, 10]

const count = async ({ db }: Pick<Ctx, 'db'>) =>
  (await db.query<{ n: number }>(sql`select count(*)::integer as n from companies`))[0]?.n
const named = async ({ db }: Pick<Ctx, 'db'>, name: string) =>
  (
    await db.query(sql`
    select name, category, headquarters, founded, ticker from companies where name = ${name}`)
  )[0]

test('a public list shows its columns, and which categories exist here', () =>
  as('ada', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const { rows, columns, categories, chosen } = await survey(ctx, LIST)
    expect(rows).toBe(13)
    expect(columns.map(({ title, field }) => [title, field])).toEqual([
      ['Symbol', 'ticker'],
      ['Security', 'name'],
      ['GICS Sector', 'category'],
      ['GICS Sub-Industry', null],
      ['Headquarters Location', 'headquarters'],
      ['Date added', null],
      ['CIK', null],
      ['Founded', 'founded'],
    ])
    expect(columns[1]?.samples).toEqual([
      'Tesla, Inc.',
      'Coca-Cola Company (The)',
      'Home Depot (The)',
    ])
    expect(columns[2]?.values).toContainEqual({ value: 'Health Care', count: 3 })
    expect(categories).toContain('Healthcare')
    expect(chosen).toEqual({})
  }))

test('a trial says what’s new, known and possibly the same, and writes nothing', () =>
  as('ada', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const before = await count(ctx)
    const trial = await attempt(ctx, LIST)
    expect(trial).toMatchObject({ rows: 13, newCount: 3, existingCount: 5, doubtful: 5, failed: 0 })
    expect(trial.newRows.map(({ name, category }) => [name, category])).toEqual([
      ['A. O. Smith', 'Industrial Manufacturing'],
      ['AbbVie', 'Healthcare'],
      ['Fox Corporation (Class A)', 'Media & Entertainment'],
    ])
    expect(trial.existingRows.map(({ name, sameAs }) => [name, sameAs.name])).toEqual([
      ['Tesla, Inc.', 'Tesla'],
      ['Coca-Cola Company (The)', 'Coca-Cola'],
      ['Home Depot (The)', 'The Home Depot'],
      ['Lilly (Eli)', 'Eli Lilly'],
      ['Fox Corporation (Class B)', 'Fox Corporation (Class A)'],
    ])
    expect(trial.doubts.map(({ row, sameAs, because }) => [row, sameAs.name, because])).toEqual([
      [6, 'Google', 'alias'],
      [7, 'Google', 'alias'],
      [8, 'AMD', 'ticker'],
      [9, 'Abbott', 'longer-name'],
      [10, 'FedEx', 'longer-name'],
    ])
    expect([await count(ctx), await logged(ctx), await past(ctx)]).toEqual([before, [], []])
  }))

test('companies are added as decided, with their facts, and the log says so', () =>
  as('ada', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const before = (await count(ctx)) as number
    const plan = { isNew: [10], categories: { Industrials: 'Logistics' } }
    const report = await add(ctx, LIST, plan)
    expect(report).toMatchObject({ added: 4, skipped: 9, doubtful: 4, failed: 0 })
    expect(report.doubts.map(({ row }) => row)).toEqual(DOUBTFUL.filter((row) => row !== 10))
    expect(await count(ctx)).toBe(before + 4)
    expect(await named(ctx, 'AbbVie')).toEqual({
      name: 'AbbVie',
      category: 'Healthcare',
      headquarters: 'North Chicago, Illinois',
      founded: 2013,
      ticker: 'ABBV',
    })
    expect(await named(ctx, 'FedEx Freight')).toMatchObject({ category: 'Logistics' })
    expect(await logged(ctx)).toEqual([
      {
        admin_name: 'Ada',
        action: 'import-companies',
        subject: '4 companies and facts of 4 companies from list.csv',
      },
    ])
    expect(await past(ctx)).toMatchObject([
      { day: '2026-03-14', admin: 'Ada', source: 'list.csv', added: 4, skipped: 9, left: 4 },
    ])
    // The mapping is proposed the next time.
    expect((await survey(ctx, LIST)).chosen).toEqual({ industrials: 'Logistics' })
    expect((await attempt(ctx, 'name,sector\nZenith,Industrials\n')).newRows).toMatchObject([
      { category: 'Logistics' },
    ])
  }))

describe('what ada decided about a row', () => {
  const idOf = async ({ db }: Pick<Ctx, 'db'>, name: string) =>
    (await db.query<{ id: string }>(sql`select id from companies where name = ${name}`))[0]
      ?.id as string
  const decidedIn = ({ doubts }: ImportTrial) => doubts.map(({ row, decided }) => [row, decided])
  const open = { categories: { Industrials: 'Logistics' } }
  /** Of rows 6 to 10: AMD is the same, FedEx Freight isn't, and the others stay open. */
  const decide = async (ctx: Ctx) =>
    add(ctx, LIST, {
      ...open,
      isSame: [{ row: 8, companyId: await idOf(ctx, 'AMD') }],
      isNew: [10],
    })

  test('stays decided when the corrected list comes, even if the first one was undone', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      const { importId = '' } = await decide(ctx)
      await undo(ctx, importId)
      const corrected = LIST.replace('TSLA,', 'ZEN,Zenith,Energy,,,,,1999\nTSLA,').replace(
        'California",2017',
        'Texas",2018',
      )
      const trial = await attempt(ctx, corrected)
      expect(decidedIn(trial)).toEqual([
        [7, undefined],
        [8, undefined],
        [9, 'same'],
        [10, undefined],
        [11, 'new'],
      ])
      const report = await add(ctx, corrected, open)
      expect(report.doubts.map(({ row }) => row)).toEqual([7, 8, 10])
      expect(report.skips).toContainEqual(
        expect.objectContaining({ row: 9, sameAs: { name: 'AMD', path: '/amd' } }),
      )
      expect(await named(ctx, 'FedEx Freight')).toMatchObject({ category: 'Logistics' })
    }))

  test('counts at the terminal, too, where only open questions become other companies', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      const { importId = '' } = await decide(ctx)
      await undo(ctx, importId)
      expect((await run(ctx, LIST))?.doubts.map(({ row }) => row)).toEqual([6, 7, 9])
      await run(ctx, LIST, { isAgain: true, areNew: true })
      expect(await named(ctx, 'Abbott Laboratories')).toBeDefined()
      expect(await named(ctx, 'Advanced Micro Devices')).toBeUndefined()
    }))

  test('is about what the row said, and ada can change it', () =>
    as('ada', async (ctx) => {
      await add(ctx, 'name\nAcme\n')
      const doubt = 'name\nAcme Holdings\n'
      const companyId = await idOf(ctx, 'Acme')
      await add(ctx, doubt, { isSame: [{ row: 2, companyId }] })
      expect(decidedIn(await attempt(ctx, 'name\nACME  holdings\n'))).toEqual([[2, 'same']])
      for (const other of ['name\nAcme Group\n', 'name,website\nAcme Holdings,acme.example\n'])
        expect(decidedIn(await attempt(ctx, other))).toEqual([[2, undefined]])
      const { importId = '' } = await add(ctx, doubt, { isNew: [2] })
      await undo(ctx, importId)
      expect(decidedIn(await attempt(ctx, doubt))).toEqual([[2, 'new']])
      // A company that came later is another question.
      await add(ctx, 'name\nAcme Holding\n', { isNew: [2] })
      expect(await attempt(ctx, doubt)).toMatchObject({
        doubts: [{ row: 2, sameAs: { name: 'Acme Holding' } }],
      })
      expect(decidedIn(await attempt(ctx, doubt))).toEqual([[2, undefined]])
    }))

  test('of several companies, another one is none of them, and nothing is asked again', () =>
    as('ada', async (ctx) => {
      await add(ctx, 'name\nAcme\nAcme Group\n')
      const { importId = '' } = await add(ctx, 'name\nAcme Holdings\n', { isNew: [2] })
      await undo(ctx, importId)
      expect(await add(ctx, 'name\nAcme Holdings\n')).toMatchObject({ added: 1, doubtful: 0 })
    }))

  test('moves along when the company is merged, and goes when it’s deleted', () =>
    as('ada', async (ctx) => {
      await add(ctx, 'name\nAcme\nAnvils of Leuven\n')
      const [from, into] = [await idOf(ctx, 'Acme'), await idOf(ctx, 'Anvils of Leuven')]
      await add(ctx, 'name\nAcme Holdings\n', { isSame: [{ row: 2, companyId: from }] })
      await mergeCompany({ ...ctx, events }, { from, into })
      expect(await add(ctx, 'name\nAcme Holdings\n')).toMatchObject({
        doubtful: 0,
        skips: [{ sameAs: { name: 'Anvils of Leuven' } }],
      })
      await ctx.db.query(sql`delete from companies where id = ${into}`)
      await add(ctx, 'name\nZenith\n')
      expect(await ctx.db.query(sql`select from import_decisions`)).toEqual([])
    }))
})

test('a second share class’s ticker is left out, and the report says so', () =>
  as('ada', async (ctx) => {
    const omittedCells = [
      {
        row: 14,
        field: 'ticker',
        reason: 'A company has one ticker here. An earlier row gave FOXA, so we don’t use FOX',
      },
    ]
    await loadStarterCompanies(ctx, 'companies')
    expect(await attempt(ctx, LIST)).toMatchObject({ omittedCount: 1, omittedCells })
    expect(await add(ctx, LIST)).toMatchObject({ omittedCount: 1, omittedCells })
    expect(await named(ctx, 'Fox Corporation (Class A)')).toMatchObject({ ticker: 'FOXA' })
    const rows = Array.from({ length: 600 }, (_, i) => `Firm ${i},F${i}`)
    const apart = [
      'name,ticker',
      'Acme (Class A),ACMA',
      ...rows,
      'Acme (Class B),ACMB',
      'Acme,ACMA',
    ]
    expect(await add(ctx, apart.join('\n'))).toMatchObject({
      omittedCount: 1,
      omittedCells: [{ row: 603, field: 'ticker' }],
    })
  }))

describe('cells that can be read in two ways', () => {
  const list = csvText([
    ['Company', 'Employees', 'Founded', 'Country'],
    ['Acme', '1.234', '1904/1946', 'NA'],
    ['Zenith', '20.000', '31.12.98', 'France'],
    ['Tea & Co.', '640', '1999', 'NA'],
  ])
  const asked = (trial: ImportTrial) =>
    trial.unclear.map(({ about, field, text, row, count, readings }) => [
      ...[about, field, text, row, count],
      readings.map(({ meaning, shown }) => `${meaning}: ${shown}`),
    ])

  test('are asked about once per column', () =>
    as('ada', async (ctx) => {
      const trial = await attempt(ctx, list)
      expect(asked(trial)).toEqual([
        ['country', 'country', 'NA', 2, 2, ['Namibia: Namibia', 'nothing: “not available”']],
        ['point', 'size', '1.234', 2, 2, ['decimals: 1.234', 'thousands: 1,234']],
        ['years', 'founded', '1904/1946', 2, 1, ['first: 1904', 'last: 1946']],
        ['century', 'founded', '31.12.98', 3, 1, ['earlier: 1898', 'later: 1998']],
      ])
      expect(trial.omittedCount).toBe(6)
      expect(trial.omittedCells).toContainEqual({
        row: 2,
        field: 'size',
        reason: '“1.234” could be 1.234 or 1,234',
      })
    }))

  test('stay out with both readings if no one answers', () =>
    as('ada', async (ctx) => {
      const report = await add(ctx, list)
      expect(report).toMatchObject({ added: 3, failed: 0, omittedCount: 6 })
      expect(report.omittedCells.map(({ reason }) => reason)).toContain(
        '“1904/1946” could be 1904 or 1946',
      )
    }))

  test('mean what someone says in the whole column', () =>
    as('ada', async (ctx) => {
      const meanings = { point: 'thousands', years: 'first', century: 'later', country: 'nothing' }
      expect(await attempt(ctx, list, { meanings })).toMatchObject({ unclear: [], omittedCount: 0 })
      expect(await add(ctx, list, { meanings })).toMatchObject({ added: 3, omittedCount: 0 })
      expect(
        await ctx.db.query(sql`select name, size, founded, country from companies order by name`),
      ).toEqual([
        { name: 'Acme', size: '1001-5000', founded: 1904, country: null },
        { name: 'Tea & Co.', size: '201-1000', founded: 1999, country: null },
        { name: 'Zenith', size: '5001-20000', founded: 1998, country: 'FR' },
      ])
    }))

  test('are asked about even if only a possible duplicate has them', () =>
    as('ada', async (ctx) => {
      await add(ctx, 'name\nAcme\n')
      const doubt = 'name,employees\nAcme Holdings,1.234\n'
      expect(asked(await attempt(ctx, doubt))).toMatchObject([['point', 'size', '1.234', 2, 1, {}]])
    }))

  test('mean nothing else', () =>
    as('ada', async (ctx) => {
      const meanings = { point: 'guess' }
      expect(await ask(ctx, '/trial', list, { meanings })).toMatchObject({ status: 400 })
    }))
})

test('chosen columns count, whatever their titles', () =>
  as('ada', async (ctx) => {
    const table = 'A\tB\tB\nTea\tAcme\tacme.com\n'
    const columns = { A: 'category', B: 'name', 'B (2)': 'website' }
    expect(await add(ctx, table, { columns })).toMatchObject({ added: 1 })
    expect(await named(ctx, 'Acme')).toMatchObject({ category: 'Tea' })
    const json = '{"companies":[{"firm":"Zenith"},{"firm":"Kettle & Sons"}]}'
    expect((await survey(ctx, json, { format: 'json' })).columns).toMatchObject([{ title: 'firm' }])
    expect(await attempt(ctx, json, { format: 'json', columns: { firm: 'name' } })).toMatchObject({
      newCount: 2,
    })
  }))

test('an import sent twice is one import', () =>
  as('ada', async (ctx) => {
    const id = crypto.randomUUID()
    expect(await add(ctx, LIST, { id, isNew: DOUBTFUL })).toMatchObject({ added: 11 })
    expect(await add(ctx, LIST, { id, isNew: DOUBTFUL })).toMatchObject({ added: 0, skipped: 13 })
    expect(await past(ctx)).toMatchObject([{ id, added: 11, left: 11 }])
  }))

test('an address in a file’s name isn’t stored', () =>
  as('ada', async (ctx) => {
    await add(ctx, LIST, { source: 'From dana@acme.example' })
    expect(await past(ctx)).toMatchObject([{ source: 'From …' }])
  }))

test('similar companies within one list don’t raise doubts about each other', () =>
  as('ada', async (ctx) => {
    const names = ['Acme', 'Acme Group', ...Array.from({ length: 600 }, (_, i) => `Firm ${i}`)]
    const list = csvText([['name'], ...[...names, 'Firm Group', 'Acme Holdings'].map((n) => [n])])
    expect(await attempt(ctx, list)).toMatchObject({ newCount: 604, doubtful: 0 })
    expect(await add(ctx, list)).toMatchObject({ added: 604, doubtful: 0 })
  }))

describe('undoing an import', () => {
  const NOTHING = { removed: 0, kept: [], keptCount: 0, putBack: 0, keptFields: 0 }
  test('undoing an import removes its companies and nothing else, even when repeated', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      const before = await count(ctx)
      const { importId = '' } = await add(ctx, LIST)
      expect(await undo(ctx, importId)).toEqual({ ...NOTHING, removed: 3, putBack: 12 })
      expect(await undo(ctx, importId)).toEqual(NOTHING)
      expect(await count(ctx)).toBe(before)
      expect(await past(ctx)).toMatchObject([{ id: importId, isUndone: true, left: 0 }])
      expect((await logged(ctx))[1]).toEqual({
        admin_name: 'Ada',
        action: 'undo-import',
        subject: '3 companies and facts of 4 companies from list.csv',
      })
      // An undone import is over, and sending it again says so.
      expect(await ask(ctx, '', LIST, { id: importId })).toMatchObject({ status: 409 })
      expect(await add(ctx, LIST)).toMatchObject({ added: 3 })
    }))

  test('undoing an import leaves companies that people use and says which', () =>
    as('ada', async (ctx) => {
      const { importId = '' } = await add(ctx, LIST)
      const ids = await ctx.db.query<{ id: string; name: string }>(sql`
        select id, name from companies where name in ('AbbVie', 'A. O. Smith') order by name`)
      const [smith, abbvie] = ids.map(({ id }) => id)
      await follow(ctx, abbvie as string)
      await ctx.db.query(sql`
        insert into employer_claims (company_id, account_id, method, domain)
        select ${smith}, id, 'dns', 'smith.example' from accounts limit 1`)
      const { removed, kept, keptCount } = await undo(ctx, importId)
      expect([removed, keptCount]).toEqual([9, 2])
      expect(kept).toEqual([
        { name: 'A. O. Smith', path: '/a-o-smith', has: ['a claim'] },
        { name: 'AbbVie', path: '/abbvie', has: ['followers'] },
      ])
      expect(await past(ctx)).toMatchObject([{ isUndone: true, left: 2 }])
    }))

  test('undoing an import leaves a company with removed posts, so they stay counted', () =>
    as('ada', async (ctx) => {
      const { importId = '' } = await add(ctx, 'name\nAcme\nZenith\n')
      await ctx.db.query(sql`
        insert into removal_counts (company_id, month, reason, threads)
        select id, '2026-03-01', 'spam', 1 from companies where name = 'Acme'`)
      expect(await undo(ctx, importId)).toEqual({
        removed: 1,
        kept: [{ name: 'Acme', path: '/acme', has: ['removed posts'] }],
        keptCount: 1,
        putBack: 0,
        keptFields: 0,
      })
    }))

  test('undoing an unknown import is a 404', () =>
    as('ada', async (ctx) => {
      await expect(undo(ctx, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
    }))
})

describe('how to read a file', () => {
  const names = ['Crème', 'Zenith', 'Forêt']
  const file = Buffer.from(`${names.join('\n')}\n`, 'latin1')
  const added = async ({ db }: Ctx) =>
    (await db.query<{ name: string }>(sql`select name from companies order by name`)).map(
      ({ name }) => name,
    )

  test('the trial asks how to read a file, one thing after the other, as does the import', () =>
    as('ada', async (ctx) => {
      const encoding = await question(ctx, file)
      expect(encoding).toMatchObject({ about: 'encoding' })
      expect(encoding.choices).toContainEqual({ value: 'windows-1250', rows: ['Crčme', 'Foręt'] })
      // Without an answer, nothing is tried or added.
      for (const path of ['/trial', ''])
        expect(await ask(ctx, path, file)).toMatchObject({
          status: 400,
          body: { error: { message: expect.stringContaining('can be read in several ways') } },
        })
      const chosen = { encoding: 'windows-1250' }
      const titles = await question(ctx, file, { reading: chosen })
      expect(titles.choices).toContainEqual({ value: 0, rows: ['Crčme', 'Zenith', 'Foręt'] })
      const { reading } = await survey(ctx, file, { reading: { ...chosen, titles: 0 } })
      expect(reading).toEqual({ ...chosen, separator: 'none', titles: 0 })
      const plan = { reading, columns: { 'Column 1': 'name' } }
      expect((await attempt(ctx, file, plan)).newRows.map(({ name }) => name)).toEqual([
        'Crčme',
        'Zenith',
        'Foręt',
      ])
      expect(await add(ctx, file, plan)).toMatchObject({ added: 3 })
      expect(await added(ctx)).toEqual(['Crčme', 'Foręt', 'Zenith'])
    }))

  test('an unknown way to read a file is refused', () =>
    as('ada', async (ctx) => {
      for (const reading of [{ encoding: 'ebcdic' }, { separator: '::' }, { titles: -1 }])
        expect((await ask(ctx, '/columns', file, { reading })).status).toBe(400)
    }))

  test('the way to read a file stays when the operator’s import resumes', () =>
    as('ada', async (ctx) => {
      const many = Buffer.from(
        Array.from({ length: 1_200 }, (_, i) => `Crème ${i};x;c${i}.example\n`).join(''),
        'latin1',
      )
      await expect(run(ctx, many)).rejects.toThrow('Say which with "encoding"')
      const choices = {
        reading: { encoding: 'windows-1252', titles: 0 },
        columns: ['name', undefined, 'website'],
      } as const
      const chosen = { choices: { ...choices, columns: [...choices.columns] } }
      expect(await run(ctx, many, { ...chosen, stopsAt: 500 })).toMatchObject({ rows: 500 })
      expect(await run(ctx, many, chosen)).toMatchObject({ rows: 1_200, added: 1_200 })
      expect((await added(ctx)).filter((name) => name.startsWith('Crème'))).toHaveLength(1_200)
      // Read differently, it's another list.
      const other = { ...chosen.choices, columns: ['name' as const] }
      expect(await run(ctx, many, { choices: other })).toMatchObject({ rows: 1_200, added: 0 })
    }))
})

test.each(['vera', 'dana', 'erin'] as const)('%s can’t try, run or undo an import', (name) =>
  as(name, async (ctx) => {
    const status = name === 'vera' ? 401 : 403
    for (const path of ['', '/columns', '/trial'])
      expect((await ask(ctx, path, LIST)).status).toBe(status)
    await expect(undo(ctx, crypto.randomUUID())).rejects.toMatchObject({ status })
    await expect(past(ctx)).rejects.toMatchObject({ status })
  }),
)

describe('at the terminal', () => {
  test('the terminal leaves out doubtful rows and reports them, and the log names operator and file', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      const report = await run(ctx, LIST)
      expect(report).toMatchObject({ added: 3, skipped: 10, doubtful: 5 })
      expect(report?.doubts.map(({ row }) => row)).toEqual(DOUBTFUL)
      expect(await logged(ctx)).toEqual([
        {
          admin_name: 'The operator',
          action: 'import-companies',
          subject: '3 companies and facts of 4 companies from facts.csv',
        },
      ])
      const [made] = await past(ctx)
      expect(made).toMatchObject({ admin: 'The operator', source: 'facts.csv', left: 3 })
      expect(await undo(ctx, made?.id ?? '')).toMatchObject({ removed: 3 })
    }))

  test('the terminal adds doubtful rows as other companies if asked', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      // The shares of one company are one company.
      expect(await run(ctx, LIST, { areNew: true })).toMatchObject({ added: 7, doubtful: 0 })
    }))
})

describe('bad input', () => {
  const latin1 = Buffer.from('name\nAcme\nB\u00fccher\nZenith\n', 'latin1')
  const sixteen = Buffer.from('\ufeffname;sector\r\nB\u00fccher;Tea\r\nAcme;Tea\r\n', 'utf16le')

  test.each<[string, string | Buffer, Partial<ImportTrial>]>([
    ['a BOM and semicolons', '\ufeffname;sector\nAcme;Tea\n', { newCount: 1, failed: 0 }],
    ['UTF-16', sixteen, { newCount: 2, failed: 0 }],
    ['Latin-1', latin1, { newCount: 3, failed: 0 }],
    [
      'broken rows in the middle',
      'name,website\nAcme,\n,ftp://x\nWorse,a,b,c\n"Open,\nZenith,zenith.example\n',
      {
        newCount: 2,
        failed: 3,
        failures: [
          { row: 3, reason: 'The website must start with http:// or https://' },
          { row: 4, reason: 'This row has more cells than there are titles. Is a quote missing?' },
          { row: 5, reason: 'This row opens a quote that never closes' },
        ],
      },
    ],
  ])('%s', (_, content, wanted) =>
    as('ada', async (ctx) => {
      expect(await attempt(ctx, content)).toMatchObject(wanted)
    }),
  )

  test('formulas in cells stay text, and no export runs them', () =>
    as('ada', async (ctx) => {
      const names = ['=1+1', '+SUM(A1)', '-2', '@cmd']
      await add(ctx, `name\n${names.join('\n')}\n`)
      const kept = await ctx.db.query<{ name: string }>(
        sql`select name from companies order by name`,
      )
      expect(kept.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
      for (const line of csvText(kept.map(({ name }) => [name]))
        .trim()
        .split('\r\n'))
        expect(line).toMatch(/^\ufeff?"?'/)
    }))

  test('a ZIP archive called .csv is refused as a ZIP archive', () =>
    as('ada', async (ctx) => {
      for (const path of ['/columns', '/trial', ''])
        expect(await ask(ctx, path, 'PK\x03\x04list.csv and more')).toEqual({
          status: 400,
          body: {
            error: {
              code: 'bad-request',
              message: 'This is a ZIP archive, not a CSV file. Unpack it and send the file inside.',
            },
          },
        })
    }))

  test('an overlong category is left out, but not its row or list', () =>
    as('ada', async (ctx) => {
      const list = csvText([
        ['name', 'category'],
        ['Acme', 'Tea'],
        ['Zenith', 'x'.repeat(130)],
      ])
      const { columns } = await survey(ctx, list)
      const categories = Object.fromEntries(
        (columns[1]?.values ?? []).map(({ value }) => [value, value]),
      )
      expect(await add(ctx, list, { categories })).toMatchObject({
        added: 2,
        omittedCells: [
          { row: 3, field: 'category', reason: 'A category can have at most 60 characters' },
        ],
      })
      const { status } = await ask(ctx, '', list, { categories: { Tea: 'x'.repeat(61) } })
      expect(status).toBe(400)
    }))

  test('two columns of one long title stay apart', () =>
    as('ada', async (ctx) => {
      const title = 'x'.repeat(100)
      const columns = { [title]: 'name', [`${title} (2)`]: 'category' }
      expect(await add(ctx, `${title},${title}\nAcme,Tea\n`, { columns })).toMatchObject({
        added: 1,
      })
      expect(await named(ctx, 'Acme')).toMatchObject({ category: 'Tea' })
    }))

  test('a table without names says what it has', () =>
    as('ada', async (ctx) => {
      const { status, body } = await ask<{ error: { message: string } }>(
        ctx,
        '/trial',
        'Symbol,Sector\nA,B\n',
      )
      expect(status).toBe(400)
      expect(body.error.message).toContain(
        'The file has columns Symbol, Sector, but none looks like a name',
      )
      // You can choose it from the columns.
      expect((await survey(ctx, 'Symbol,Sector\nA,B\n')).columns).toHaveLength(2)
    }))

  test.each(['no plan', '{"format":"xml"}', '{"format":"csv","columns":{"a":"owner"}}', '[]'])(
    'an empty plan is refused: %s',
    (line) =>
      as('ada', async (ctx) => {
        const { status, body } = await ask<{ error: { message: string } }>(
          ctx,
          '/trial',
          'name\nAcme\n',
          line,
        )
        expect([status, body.error.message]).toEqual([
          400,
          'The first line must say how to read the file',
        ])
      }),
  )

  slow.test('2,000 rows are tried, added and undone in several batches each', () =>
    as('ada', async (ctx) => {
      const rows = Array.from({ length: 2_000 }, (_, i) => [`Firm ${i}`, `Kind ${i % 300}`])
      const list = csvText([['Company', 'Industry'], ...rows])
      const { columns } = await survey(ctx, list)
      expect(columns[1]?.values).toBeNull()
      expect(await attempt(ctx, list)).toMatchObject({ rows: 2_000, newCount: 2_000 })
      const { importId = '', added } = await add(ctx, list)
      expect(added).toBe(2_000)
      expect(await undo(ctx, importId)).toMatchObject({ removed: 2_000, keptCount: 0 })
      expect(await count(ctx)).toBe(0)
    }),
  )
})
