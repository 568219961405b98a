/** Rows about companies that are here fill in what's empty there. */
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { csvText } from '#app/platform/csv.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { NOW, testSecrets, withDatabase } from '#tests/support/database.ts'
import { insertCompanies, type NewCompany } from '../company-commands.server.ts'
import { companyBySlug } from '../company-queries.server.ts'
import type { Changes } from '../edits/company-edit.ts'
import { editCompany, revertEdit } from '../edits/edit-commands.server.ts'
import { companyEdits } from '../edits/edit-queries.server.ts'
import { keepLogo } from '../logos/logo-commands.server.ts'
import { suggestCompanies } from '../search/company-search.server.ts'
import { loadStarterCompanies } from '../starter-companies.server.ts'
import { importCompanies } from './import-commands.server.ts'
import type { ImportReport, ImportTrial } from './import-report.ts'
import { logged, past, undo, withImports } from './importing.fixture.ts'
import { DOUBTFUL, publicList, SPELLED } from './public-list.fixture.ts'

const { as, outside, somebodyWaits } = withDatabase()
const { ask, attempt, add, run } = withImports()

const insert = (ctx: Pick<Ctx, 'db' | 'now'>, ...rows: Partial<NewCompany>[]) =>
  insertCompanies(
    ctx,
    rows.map((row) => ({ name: 'Acme', category: 'Tea', ...row })),
  )
const acme = (ctx: Ctx) => companyBySlug(ctx, 'acme')
const change = (ctx: Ctx, id: string, changes: Changes) =>
  editCompany(ctx, id, { changes, reason: '' })
const history = async (ctx: Ctx, id: string) =>
  (await companyEdits(ctx, id)).edits.map(({ state, changes }) => [state, changes])
const everything = ({ db }: Pick<Ctx, 'db'>) =>
  db.query(sql`
    select to_jsonb(company) as company,
           array(select kind || key from company_keys where company_id = id order by kind, key) as keys
      from companies company order by id`)
const counts = (given: { filled?: number; replaced?: number; kept?: number; equal?: number }) => ({
  filled: 0,
  replaced: 0,
  kept: 0,
  equal: 0,
  ...given,
})

const LIST = csvText([
  ['Name', 'Website', 'Industry', 'Headquarters', 'Founded', 'Ticker', 'Legal form'],
  ['Acme, Inc.', 'acme.com', 'Kettles', 'Leeds', '1901', 'ACM', 'Inc.'],
  ['Zenith', 'zenith.com', '', '', 'n/a', 'ZEN', ''],
])

describe('a row about a company that’s here', () => {
  test('a row fills in empty fields, leaves different ones, and says so in trial and report', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { website: 'https://acme.com', headquarters: 'York', ticker: 'ACM' })
      const before = await everything(ctx)
      const fields = {
        category: counts({ kept: 1 }),
        website: counts({ equal: 1 }),
        headquarters: counts({ kept: 1 }),
        founded: counts({ filled: 1 }),
        ticker: counts({ equal: 1 }),
        legalForm: counts({ filled: 1 }),
      }
      const here = {
        row: 2,
        name: 'Acme, Inc.',
        sameAs: { name: 'Acme', path: '/acme' },
        changed: ['founded', 'legalForm'],
      }
      expect(await attempt(ctx, LIST)).toMatchObject({ newCount: 1, existingRows: [here], fields })
      expect(await everything(ctx)).toEqual(before)
      const report = await add(ctx, LIST)
      expect(report).toMatchObject({ added: 1, skipped: 1, filled: 1, skips: [here], fields })
      expect(await acme(ctx)).toMatchObject({
        name: 'Acme',
        category: 'Tea',
        headquarters: 'York',
        founded: 1901,
        legalForm: 'Inc.',
      })
      expect(await logged(ctx)).toMatchObject([
        { subject: '1 company and facts of 1 company from list.csv' },
      ])
      expect(await past(ctx)).toMatchObject([{ added: 1, filled: 1 }])
    }))

  test('a row replaces values in ticked columns only', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { headquarters: 'York', founded: 1900, ticker: 'OLD' })
      const plan = { replace: ['headquarters', 'category'] }
      const fields = {
        category: counts({ replaced: 1 }),
        website: counts({ filled: 1 }),
        headquarters: counts({ replaced: 1 }),
        founded: counts({ kept: 1 }),
        ticker: counts({ kept: 1 }),
        legalForm: counts({ filled: 1 }),
      }
      expect((await attempt(ctx, LIST, plan)).fields).toEqual(fields)
      expect((await add(ctx, LIST, plan)).fields).toEqual(fields)
      const company = await acme(ctx)
      expect(company).toMatchObject({ category: 'Kettles', headquarters: 'Leeds', founded: 1900 })
      // As other changes do, it stands in the history, and the counts and the search know it.
      expect(await history(ctx, company.id)).toEqual([
        [
          'applied',
          {
            category: { from: 'Tea', to: 'Kettles' },
            website: { from: null, to: 'https://acme.com' },
            headquarters: { from: 'York', to: 'Leeds' },
            legalForm: { from: null, to: 'Inc.' },
          },
        ],
      ])
      expect(await ctx.db.query(sql`select name, companies from categories order by name`)).toEqual(
        [
          { name: 'Kettles', companies: 1 },
          { name: 'Other', companies: 1 },
        ],
      )
    }))

  test('a row adds other names that the search finds, but doesn’t change the company’s name', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { website: 'https://acme.com' })
      const list = 'name,website,aliases\nThe Anvil People,acme.com,Acme;Roadrunner Supplies\n'
      expect(await add(ctx, list)).toMatchObject({ filled: 1 })
      expect((await acme(ctx)).aliases).toEqual(['Roadrunner Supplies'])
      const found = await suggestCompanies(ctx, 'roadrunner')
      expect(found.map(({ name }) => name)).toEqual(['Acme'])
    }))

  test('a row belongs to the company with its website if two have the name', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { website: 'https://acme.com' }, { website: 'https://acme.example' })
      const report = await add(ctx, 'name,website,ticker\nAcme,acme.example,ACM\n')
      expect(report.skips).toMatchObject([{ sameAs: { path: '/acme-2' }, changed: ['ticker'] }])
    }))

  test('a row reports its unreadable cells and uses the others', () =>
    as('ada', async (ctx) => {
      await insert(ctx, {})
      const report = await add(ctx, 'name,founded,ticker\nAcme,soon,ACM\n')
      expect(report).toMatchObject({
        filled: 1,
        omittedCells: [{ row: 2, field: 'year of founding' }],
      })
      expect(await attempt(ctx, 'name,founded\nAcme,soon\n')).toMatchObject({ omittedCount: 1 })
    }))

  test('the first of several rows decides, even in a later batch, and others add what it lacks', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { headquarters: 'York' })
      const others = Array.from({ length: 600 }, (_, i) => [`Firm ${i}`, '', '', ''])
      const list = csvText([
        ['name', 'ticker', 'headquarters', 'founded'],
        ['Acme (Class A)', 'ACMA', 'York', ''],
        ['Acme (Class B)', 'ACMB', 'Hull', ''],
        ['Teasel', 'TSLA', '', ''],
        ...others,
        ['Acme (Class C)', 'ACMC', 'Bath', '1901'],
        ['Teasel (Class B)', 'TSLB', 'Rye', ''],
      ])
      const plan = { replace: ['ticker', 'headquarters'] }
      const fields = {
        ticker: counts({ filled: 1 }),
        headquarters: counts({ filled: 1, equal: 1 }),
        founded: counts({ filled: 1 }),
      }
      expect((await attempt(ctx, list, plan)).fields).toEqual(fields)
      const report = await add(ctx, list, plan)
      expect(report.fields).toEqual(fields)
      expect(await acme(ctx)).toMatchObject({ ticker: 'ACMA', headquarters: 'York', founded: 1901 })
      expect(await companyBySlug(ctx, 'teasel')).toMatchObject({
        ticker: 'TSLA',
        headquarters: 'Rye',
      })
      // A company that an import added isn't in use because the import filled it in.
      expect(await undo(ctx, report.importId)).toMatchObject({ removed: 601, keptCount: 0 })
    }))

  test('a row fills in the company someone chose, if it’s still the one they saw', () =>
    as('ada', async (ctx) => {
      const [abbott] = await insert(ctx, { name: 'Abbott' }, { name: 'Fedex' })
      const list =
        'name,ticker,founded\nAbbott Laboratories,ABT,1888\nFedex Freight,FDXF,2000\nAcme,ACM,1901\n'
      const trial = await attempt(ctx, list)
      expect(trial).toMatchObject({ doubtful: 2, fields: {} })
      expect(trial.doubts.map(({ cellOutcomes }) => cellOutcomes)).toEqual(
        Array(2).fill({ founded: 'filled', ticker: 'filled' }),
      )
      const isSame = [2, 3].map((row) => ({ row, companyId: abbott?.id }))
      const wanted = {
        doubtful: 1,
        fields: { ticker: counts({ filled: 1 }), founded: counts({ filled: 1 }) },
      }
      expect(await attempt(ctx, list, { isSame })).toMatchObject(wanted)
      const report = await add(ctx, list, { isSame })
      expect(report).toMatchObject({ ...wanted, added: 1, filled: 1 })
      expect(report.skips).toEqual([
        {
          row: 2,
          name: 'Abbott Laboratories',
          sameAs: { name: 'Abbott', path: '/abbott' },
          changed: ['founded', 'ticker'],
        },
      ])
      expect(report.doubts).toMatchObject([{ row: 3, sameAs: { name: 'Fedex' } }])
      expect(await companyBySlug(ctx, 'abbott')).toMatchObject({ ticker: 'ABT', founded: 1888 })
    }))

  test('a row that the database refuses fails alone, and the others’ facts are saved', () =>
    as('ada', async (ctx) => {
      await insert(ctx, {}, { name: 'Zenith' })
      await ctx.db.query(sql`alter table companies add constraint odd check (ticker <> 'ODD')`)
      const list = 'name,ticker\nAcme,ODD\nZenith,ZEN\nAcme,ACM\n'
      expect(await add(ctx, list)).toMatchObject({ failed: 1, filled: 2 })
      expect(await acme(ctx)).toMatchObject({ ticker: 'ACM' })
    }))

  test('a row also fills in from the terminal, and replaces what it’s told to', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { headquarters: 'York', founded: 1900 })
      expect(await run(ctx, LIST, { replaces: ['founded'] })).toMatchObject({ added: 1, filled: 1 })
      expect(await acme(ctx)).toMatchObject({ headquarters: 'York', founded: 1901, ticker: 'ACM' })
      expect(await logged(ctx)).toMatchObject([
        { subject: '1 company and facts of 1 company from facts.csv' },
      ])
    }))

  test('a row with a column that doesn’t exist is refused', () =>
    as('ada', async (ctx) => {
      for (const replace of [['name'], ['owner'], 'ticker'])
        expect((await ask(ctx, '/trial', LIST, { replace })).status).toBe(400)
    }))
})

describe('undoing an import', () => {
  test('undoing an import puts back what it filled in, as if it had never been', () =>
    as('ada', async (ctx) => {
      await insert(ctx, { headquarters: 'York', aliases: ['Anvils'] }, { name: 'Zenith' })
      const before = await everything(ctx)
      const list =
        'name,headquarters,aliases,category\nAcme,Leeds,The Anvil People,Kettles\nZenith,Hull,,\n'
      const report = await add(ctx, list, { replace: ['headquarters', 'aliases', 'category'] })
      expect(report.filled).toBe(2)
      expect(await undo(ctx, report.importId)).toEqual({
        removed: 0,
        kept: [],
        keptCount: 0,
        putBack: 4,
        keptFields: 0,
      })
      expect(await everything(ctx)).toEqual(before)
      const { id } = await acme(ctx)
      expect((await companyEdits(ctx, id)).edits).toMatchObject([
        { state: 'reverted', fields: ['aliases', 'category', 'headquarters'] },
      ])
      expect(await past(ctx)).toMatchObject([{ isUndone: true, left: 0, filled: 0 }])
      expect((await logged(ctx))[1]).toMatchObject({
        action: 'undo-import',
        subject: 'facts of 2 companies from list.csv',
      })
      // The undo is complete, and the list can be imported again.
      expect(await undo(ctx, report.importId)).toMatchObject({ putBack: 0, keptFields: 0 })
      expect(await ask(ctx, '', list, { id: report.importId })).toMatchObject({ status: 409 })
      expect(await add(ctx, list)).toMatchObject({ filled: 1 })
    }))

  test('undoing an import leaves what someone has changed since and says how much', () =>
    as('ada', async (ctx) => {
      await insert(ctx, {})
      const { importId } = await add(ctx, 'name,headquarters,founded,ticker\nAcme,Leeds,1901,ACM\n')
      const { id } = await acme(ctx)
      await change(ctx, id, {
        headquarters: { from: 'Leeds', to: 'Hull' },
        founded: { from: 1901, to: null },
      })
      expect(await undo(ctx, importId)).toMatchObject({ putBack: 1, keptFields: 2 })
      expect(await acme(ctx)).toMatchObject({ headquarters: 'Hull', founded: null, ticker: null })
      expect(await history(ctx, id)).toEqual([
        ['reverted', { ticker: { from: null, to: 'ACM' } }],
        [
          'applied',
          { headquarters: { from: 'Leeds', to: 'Hull' }, founded: { from: 1901, to: null } },
        ],
        [
          'applied',
          { headquarters: { from: null, to: 'Leeds' }, founded: { from: null, to: 1901 } },
        ],
      ])
      // Once that's undone as well, undoing the import again finds its own values.
      const [, edit] = (await companyEdits(ctx, id)).edits
      await revertEdit(ctx, edit?.id as number)
      expect(await undo(ctx, importId)).toMatchObject({ putBack: 2, keptFields: 0 })
      expect(await acme(ctx)).toMatchObject({ headquarters: null, founded: null })
    }))

  test('undoing an import removes companies that only another import and the site itself have changed', () =>
    as('ada', async (ctx) => {
      const { importId } = await add(ctx, 'name\nAcme\n')
      await add(ctx, 'name,ticker\nAcme,ACM\n')
      const { id } = await acme(ctx)
      const { actor: _, ...site } = ctx
      await keepLogo(site, id, { hash: 'h', bytes: Buffer.from('picture') })
      expect(await undo(ctx, importId)).toMatchObject({ removed: 1, keptCount: 0 })
    }))
})

describe('an import while people edit', () => {
  afterEach(async () => {
    for (const table of [sql`companies`, sql`company_imports`, sql`admin_log`])
      await outside().query(sql`delete from ${table}`)
  })
  const adaOutside = async (): Promise<Ctx> => ({
    ...(await as('ada', async (ctx) => ctx)),
    db: outside(),
    secrets: testSecrets,
    now: () => NOW,
    queue: createQueue(outside(), { now: () => NOW }),
  })
  async function send(ctx: Ctx, company: object) {
    let last: ImportReport | undefined
    for await (const report of importCompanies(ctx, {}, [{ row: 1, given: company }], { total: 1 }))
      last = report
    return last
  }

  test('someone’s edit counts, whether it comes before the import or after', async () => {
    const ada = await adaOutside()
    await insert(ada, {})
    const { id } = await acme(ada)
    let sent: Promise<ImportReport | undefined> | undefined
    await ada.db.transaction(async (db) => {
      await change({ ...ada, db }, id, { headquarters: { from: null, to: 'York' } })
      sent = send(ada, { name: 'Acme', headquarters: 'Leeds', ticker: 'ACM' })
      await somebodyWaits()
    })
    expect((await sent)?.fields).toEqual({
      headquarters: counts({ kept: 1 }),
      ticker: counts({ filled: 1 }),
    })
    expect(await acme(ada)).toMatchObject({ headquarters: 'York', ticker: 'ACM' })
    const late = change(ada, id, { ticker: { from: null, to: 'LATE' } })
    await expect(late).rejects.toMatchObject({ code: 'changed-meanwhile' })
  })

  test('two imports fill in a field once', async () => {
    const ada = await adaOutside()
    await insert(ada, {})
    const reports = await Promise.all(
      ['ONE', 'TWO'].map((ticker) => send(ada, { name: 'Acme', ticker })),
    )
    expect(reports.map((report) => report?.filled).sort()).toEqual([0, 1])
    const { id } = await acme(ada)
    expect(await history(ada, id)).toHaveLength(1)
  })
})

describe('a public list of 503 companies over the starter companies', () => {
  const decide = ({ doubts }: ImportTrial) => ({
    isNew: doubts.flatMap(({ row, name }) => (name === 'FedEx Freight' ? [row] : [])),
    isSame: doubts.flatMap(({ row, name, companyId }) =>
      name === 'FedEx Freight' ? [] : [{ row, companyId }],
    ),
    meanings: { years: 'first' },
  })

  test('a public list leaves no row’s facts behind, doubles nothing when corrected, and can be undone', () =>
    as('ada', async (ctx) => {
      await loadStarterCompanies(ctx, 'companies')
      const before = await everything(ctx)
      const { csv, rows } = await publicList()
      const trial = await attempt(ctx, csv)
      const pairs = rows.filter(({ isFirst }) => !isFirst)
      const unclear = rows.filter(({ cell }) => /^\d{4}\//.test(cell))
      // Alphabet is among those to decide on.
      const known = SPELLED + pairs.length - 1
      expect(trial.doubts.map(({ name }) => name)).toEqual(DOUBTFUL.map(([name]) => name))
      expect(trial).toMatchObject({
        rows: 503,
        newCount: 503 - known - DOUBTFUL.length,
        existingCount: known,
        failed: 0,
        unclear: [{ about: 'years', text: '1904/1946/1959', count: unclear.length }],
      })

      const report = await add(ctx, csv, decide(trial))
      const added = 503 - known - DOUBTFUL.length + 1
      expect(report).toMatchObject({
        ...{ added, skipped: 503 - added, filled: SPELLED + DOUBTFUL.length - 2 },
        // Other share classes' tickers.
        ...{ failed: 0, doubtful: 0, omittedCount: pairs.length },
      })
      // The report names each row that's the same, and what it filled in.
      const told = new Map(report.skips.map((row) => [row.name, row]))
      for (const [security, is] of DOUBTFUL)
        if (is !== null)
          expect([security, told.get(security)]).toMatchObject([
            security,
            {
              sameAs: { name: is },
              changed: security.endsWith('(Class C)') ? [] : ['headquarters', 'founded', 'ticker'],
            },
          ])
      const found = async (headquarters: string) => {
        const companies = await ctx.db.query<{ name: string; founded: number; ticker: string }>(sql`
          select name, founded, ticker from companies where headquarters = ${headquarters}`)
        return companies.map(({ name, founded, ticker }) => `${name} ${founded} ${ticker}`).sort()
      }
      const wanted = rows
        .filter(({ isFirst }) => isFirst)
        .map(({ is, founded, symbol }) => `${is} ${founded} ${symbol}`)
        .sort()
      expect(await found('Lower Pindlewick, Vermont')).toEqual(wanted)
      expect(await everything(ctx)).toHaveLength(before.length + added)

      const corrected = (await publicList('Upper Pindlewick, Vermont')).csv
      // The decisions count for it, too.
      const retried = await attempt(ctx, corrected)
      expect(retried.doubts.filter(({ decided }) => decided !== 'same')).toEqual([])
      const { meanings } = decide(retried)
      expect(await add(ctx, corrected, { meanings })).toMatchObject({
        ...{ added: 0, filled: 0, doubtful: 0 },
        fields: { headquarters: counts({ kept: wanted.length }) },
      })
      const again = await add(ctx, corrected, { meanings, replace: ['headquarters'] })
      expect(again.fields).toMatchObject({
        headquarters: counts({ replaced: wanted.length }),
        founded: counts({ equal: wanted.length }),
      })
      expect(await found('Upper Pindlewick, Vermont')).toEqual(wanted)

      expect(await undo(ctx, again.importId)).toMatchObject({
        putBack: wanted.length,
        keptFields: 0,
      })
      expect(await undo(ctx, report.importId)).toMatchObject({
        ...{ removed: added, keptCount: 0 },
        ...{ putBack: 3 * report.filled, keptFields: 0 },
      })
      expect(await everything(ctx)).toEqual(before)
    }))
})
