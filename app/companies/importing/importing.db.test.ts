import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { bareHttp } from '#tests/support/api.ts'
import { NOW, testSecrets, withDatabase } from '#tests/support/database.ts'
import { databaseAt } from '#tests/support/postgres-cluster.ts'
import { insertCompanies, type NewCompany } from '../company-commands.server.ts'
import { keepLogo, LOGO_FETCH_TASK } from '../logos/logo-commands.server.ts'
import { logoOf } from '../logos/logo-picture.server.ts'
import { fetchLogo } from '../logos/logo-task.server.ts'
import { suggestCompanies } from '../search/company-search.server.ts'
import { type ImportApi, registerImports } from './import-api.server.ts'
import {
  batchesAtOnceOf,
  IMPORTED_LOGO_TASK,
  importCompanies,
  runImport,
} from './import-commands.server.ts'
import { importFile, importOf, surveyFile } from './import-file-commands.server.ts'
import type { ImportReport } from './import-report.ts'
import { siteOf } from './imported-company.ts'
import { fetchImportedLogo } from './imported-logo-task.server.ts'

const { as, outside } = withDatabase()

// As they are, but for tests that let one of them break.
vi.mock('../company-commands.server.ts', { spy: true })
vi.mock('../logos/logo-commands.server.ts', { spy: true })
vi.mock('../logos/logo-task.server.ts', { spy: true })
vi.mock('../logos/logo-picture.server.ts', { spy: true })
const insert = vi.mocked(insertCompanies)
const { insertCompanies: reallyInsert } = await vi.importActual<
  typeof import('../company-commands.server.ts')
>('../company-commands.server.ts')
afterEach(() => vi.resetAllMocks())

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-imports-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function lastOf(reports: AsyncIterable<ImportReport>) {
  let last: ImportReport | undefined
  for await (const report of reports) last = report
  return last as ImportReport
}

/** As an administrator who sends these rows. */
const send = (ctx: Ctx, companies: unknown[], settings: Partial<ImportApi> = {}) =>
  lastOf(
    importCompanies(
      ctx,
      settings,
      companies.map((given, i) => ({ row: i + 1, given })),
      { total: companies.length },
    ),
  )

const companies = (ctx: Pick<Ctx, 'db'>) =>
  ctx.db.query<{ name: string; slug: string | null; website: string | null }>(
    sql`select name, slug, website from companies order by slug, name`,
  )
const slugs = async (ctx: Pick<Ctx, 'db'>) => (await companies(ctx)).map(({ slug }) => slug)
const counts = ({ added, skipped, failed }: ImportReport) => ({ added, skipped, failed })
const add = (ctx: Ctx, ...rows: Partial<NewCompany>[]) =>
  insertCompanies(
    ctx,
    rows.map((row) => ({ name: 'Acme', category: 'Tea', ...row })),
  )

describe('rows', () => {
  test('an import adds companies with their numbers and what search needs', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { name: 'Acme', category: 'Tea', website: 'acme.com', description: 'Tea for all.' },
        { name: 'Nestlé' },
      ])
      expect(report).toMatchObject({ rows: 2, total: 2, added: 2, skipped: 0, failed: 0 })
      expect(await companies(ctx)).toEqual([
        { name: 'Acme', slug: 'acme', website: 'https://acme.com' },
        { name: 'Nestlé', slug: 'nestle', website: null },
      ])
      expect(
        await ctx.db.query(sql`
          select category, logo_url, created_at from companies where slug = 'nestle'`),
      ).toEqual([
        {
          category: 'Other',
          logo_url: null,
          created_at: ctx
            .now()
            .toISOString()
            .replace(/\.?0+Z$/, 'Z'),
        },
      ])
      expect(await ctx.db.query(sql`select count(*)::integer as n from company_stats`)).toEqual([
        { n: 2 },
      ])
    }))

  test('an import skips existing companies, and its report says which they are', () =>
    as('ada', async (ctx) => {
      await add(ctx, { website: 'https://www.acme.com/about' })
      const report = await send(ctx, [
        { name: 'ACME!' },
        { name: 'Acme Holdings', website: 'http://ACME.com' },
        { name: 'Acme Two', website: 'https://two.acme.com' },
      ])
      const sameAs = { name: 'Acme', path: '/acme' }
      expect(report).toMatchObject({
        added: 1,
        skipped: 2,
        skips: [
          { row: 1, name: 'ACME!', sameAs },
          { row: 2, name: 'Acme Holdings', sameAs },
        ],
      })
      expect(await slugs(ctx)).toEqual(['acme', 'acme-two'])
    }))

  test('a second import of the same file adds nothing', () =>
    as('ada', async (ctx) => {
      const rows = [
        { name: 'Acme', website: 'acme.com' },
        { name: 'Admin' },
        { name: 'Acme 2' },
        { name: '!!!' },
        { name: '茶' },
        { name: 'Bücher', website: 'https://BÜCHER.example/Über' },
        { website: 'https://one.example.com' },
        { website: 'https://linkedin.com/company/two' },
        { category: 'Tea' },
      ]
      expect(counts(await send(ctx, rows))).toEqual({ added: 9, skipped: 0, failed: 0 })
      expect(counts(await send(ctx, rows))).toEqual({ added: 0, skipped: 9, failed: 0 })
      expect(counts(await send(ctx, rows.toReversed()))).toMatchObject({ added: 0, skipped: 9 })
    }))

  test('a company repeated within a file is added once', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { name: 'Acme', website: 'acme.com' },
        { name: 'acme', website: 'acme.example.com' },
        { name: 'Zenith', website: 'https://www.acme.com' },
        { name: 'Acme of the second row', website: 'acme.example.com' },
      ])
      const sameAs = { name: 'Acme', path: '/acme' }
      expect(report).toMatchObject({
        added: 1,
        skips: [
          { row: 2, sameAs },
          { row: 3, sameAs },
          { row: 4, sameAs },
        ],
      })
    }))

  test('nameless rows are companies of their own only if their websites differ', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { website: 'one.example.com' },
        { website: 'two.example.com' },
        { name: 'Unknown Company', website: 'www.two.example.com' },
        { description: 'Nothing known' },
        { category: 'Tea' },
      ])
      expect(counts(report)).toEqual({ added: 3, skipped: 2, failed: 0 })
      expect(await slugs(ctx)).toEqual([
        'unknown-company',
        'unknown-company-2',
        'unknown-company-3',
      ])
    }))

  test('a row finds a renamed company by its former name', () =>
    as('ada', async (ctx) => {
      const [acme] = await add(ctx, { name: 'Zenith' })
      await ctx.db.query(
        sql`insert into company_old_slugs (slug, company_id) values ('acme', ${acme?.id})`,
      )
      const report = await send(ctx, [{ name: 'Acme' }])
      expect(report.skips).toEqual([
        { row: 1, name: 'Acme', sameAs: { name: 'Zenith', path: '/zenith' }, changed: [] },
      ])
    }))

  test('a row is added even if another company’s slug looks similar', () =>
    as('ada', async (ctx) => {
      await add(ctx, {}, {})
      expect(await slugs(ctx)).toEqual(['acme', 'acme-2'])
      expect(counts(await send(ctx, [{ name: 'Acme 2' }]))).toMatchObject({ added: 1 })
      expect(await slugs(ctx)).toEqual(['acme', 'acme-2', 'acme-2-2'])
    }))

  test('rows with pages on one shared site are different companies', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { name: 'LinkedIn', website: 'https://www.linkedin.com' },
        { name: 'Acme', website: 'https://www.linkedin.com/company/acme' },
        { name: 'Zenith', website: 'https://www.linkedin.com/company/zenith' },
        { name: 'LinkedIn Corporation', website: 'linkedin.com' },
      ])
      expect(report).toMatchObject({ added: 3, skips: [{ row: 4, sameAs: { name: 'LinkedIn' } }] })
    }))

  test('a broken row fails alone, with its number and a sentence', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { name: 'Acme' },
        { website: 'javascript:alert(1)' },
        { name: 'x'.repeat(121) },
        'text',
        { logo_url: 'data:image/png,x' },
        { name: 'Fine' },
      ])
      expect(counts(report)).toEqual({ added: 2, skipped: 0, failed: 4 })
      expect(report.failures).toEqual([
        { row: 2, reason: 'The website must start with http:// or https://' },
        { row: 3, reason: 'A name can have at most 120 characters' },
        { row: 4, reason: 'This row isn’t a company' },
        { row: 5, reason: 'The logo’s address must start with http:// or https://' },
      ])
      expect(await slugs(ctx)).toEqual(['acme', 'fine'])
    }))

  test('a cell that can’t be read is left out and reported, and its row is added', () =>
    as('ada', async (ctx) => {
      const report = await send(ctx, [
        { name: 'Acme', website: 'javascript:alert(1)', size: 'huge', founded: 'n/a' },
        { name: 'Acme', website: 'ftp://x' },
      ])
      expect(counts(report)).toEqual({ added: 1, skipped: 1, failed: 0 })
      expect(report).toMatchObject({
        omittedCount: 3,
        omittedCells: [
          { row: 1, field: 'size', reason: '“huge” isn’t a number' },
          {
            row: 1,
            field: 'website',
            reason: 'The website must start with http:// or https://',
          },
          {
            row: 2,
            field: 'website',
            reason: 'The website must start with http:// or https://',
          },
        ],
      })
      expect(await slugs(ctx)).toEqual(['acme'])
    }))

  test('a row that the database refuses fails alone and leaves nothing behind', () =>
    as('ada', async (ctx) => {
      await ctx.db.query(sql`alter table companies add constraint odd check (name <> 'Odd 3')`)
      const rows = Array.from({ length: 9 }, (_, i) => ({
        name: `Odd ${i}`,
        website: `odd${i}.example.com`,
      }))
      // A duplicate of a failed row isn't skipped because of it.
      const report = await send(ctx, [...rows, { name: 'Even', website: 'odd3.example.com' }])
      expect(counts(report)).toEqual({ added: 9, skipped: 0, failed: 1 })
      expect(report.failures).toEqual([{ row: 4, reason: 'The database rejected this row' }])
      expect(await slugs(ctx)).toContain('even')
      expect(await ctx.db.query(sql`select companies from categories`)).toEqual([{ companies: 9 }])
      const jobs = await ctx.db.query(sql`select from job_queue`)
      expect(jobs).toHaveLength(9)
    }))

  test.each([
    ['a slug that somebody takes meanwhile', '23505'],
    ['a transaction that waits for another which waits for it', '40P01'],
  ])('%s fails no row, because it’s tried again', (_, code) =>
    as('ada', async (ctx) => {
      insert.mockImplementationOnce(async (...given) => {
        await reallyInsert(...given)
        throw Object.assign(new Error('Not this time'), { code })
      })
      const rows = [{ name: 'Acme' }, { name: 'Zenith' }, { name: 'ACME' }]
      const report = await send(ctx, rows)
      expect(counts(report)).toEqual({ added: 2, skipped: 1, failed: 0 })
      expect(insert).toHaveBeenCalledTimes(2)
      expect(await slugs(ctx)).toEqual(['acme', 'zenith'])
    }),
  )

  test('SQL in a cell is just text', () =>
    as('ada', async (ctx) => {
      const name = `Robert'); drop table companies; --`
      await send(ctx, [{ name, description: '$1 {} \\ " \u2028' }])
      expect((await companies(ctx)).map((company) => company.name)).toEqual([name])
    }))

  test('the report of a thousand rows shows a hundred of each kind and counts the rest', () =>
    as('ada', async (ctx) => {
      const rows = Array.from({ length: 1200 }, (_, i) =>
        i % 2 ? { name: 'Acme' } : { website: 'x' },
      )
      const report = await send(ctx, rows)
      expect(counts(report)).toEqual({ added: 1, skipped: 599, failed: 600 })
      expect([report.skips.length, report.failures.length]).toEqual([100, 100])
    }))
})

describe('the search', () => {
  const rows = Array.from({ length: 1001 }, (_, i) => ({ name: `Firm ${i} Xylo` }))

  test('a search finds imported companies, during the import and after', () =>
    as('ada', async (ctx) => {
      const found = async () => (await suggestCompanies(ctx, 'xylo')).map(({ name }) => name).length
      const reports = importCompanies(
        ctx,
        {},
        rows.map((given, row) => ({ row, given })),
        { total: rows.length },
      )
      await reports.next()
      expect(await found()).toBe(20)
      await reports.return(undefined)
      expect(await found()).toBe(20)
    }))
})

describe('the host of a website', () => {
  test('a website’s host is the same to the database and to us', () =>
    as('ada', async ({ db }) => {
      const websites = [
        'https://acme.com',
        'HTTPS://WWW.ACME.com/x',
        'http://www.acme.co.uk?x',
        'https://acme.com#y',
        'https://www.www.acme.com',
        'https://acme-tea.example.com/a:b',
      ]
      const rows = await db.query<{ website: string; site: string }>(sql`
        select website, company_site(website) as site from unnest(${websites}::text[]) website`)
      expect(rows.map(({ website }) => website)).toEqual(websites)
      for (const { website, site } of rows) expect(site).toBe(siteOf(website))
    }))

  test('a website’s host is found by its index, even if typed with letters beyond ASCII', () =>
    as('ada', async (ctx) => {
      await add(ctx, { name: 'Books', website: 'https://www.bücher.example' })
      expect(
        (await send(ctx, [{ name: 'Other', website: 'https://bücher.example' }])).skips,
      ).toMatchObject([{ sameAs: { name: 'Books' } }])
      await ctx.db.query(sql`set local enable_seqscan = off`)
      const plan = await ctx.db.query<{ 'QUERY PLAN': string }>(sql`
        explain select id from companies
         where website is not null and company_site(website) collate "C" = 'acme.com'`)
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('companies_by_site')
    }))
})

describe('logos (Spec §5, S19)', () => {
  test('a small import fetches logos by jobs, and no address from outside is ever shown', () =>
    as('ada', async (ctx) => {
      await send(ctx, [
        { name: 'Acme', website: 'acme.com' },
        { name: 'Zenith', website: 'zenith.com', logo_url: 'https://cdn.zenith.com/l.png' },
        { name: 'Nowhere' },
      ])
      const jobs = await ctx.db.query<{ kind: string; payload: { url?: string } }>(
        sql`select kind, payload from job_queue order by kind`,
      )
      expect(jobs).toMatchObject([
        { kind: IMPORTED_LOGO_TASK, payload: { url: 'https://cdn.zenith.com/l.png' } },
        { kind: LOGO_FETCH_TASK },
      ])
      expect(
        await ctx.db.query(sql`select from companies where logo_url is not null`),
      ).toHaveLength(0)
    }))

  test('a large import fetches no logos, because everyone shares the queue', () =>
    as('ada', async (ctx) => {
      const rows = Array.from({ length: 101 }, (_, i) => ({
        name: `Acme ${i}`,
        website: `a${i}.example.com`,
      }))
      await send(ctx, rows)
      expect(await ctx.db.query(sql`select from job_queue`)).toHaveLength(0)
    }))

  beforeEach(() => {
    vi.mocked(logoOf).mockImplementation(async (file) => {
      if (file.toString() !== 'picture') throw new Refusal('unsupported-type', 'No picture')
      return { hash: 'h', bytes: file }
    })
    vi.mocked(keepLogo).mockResolvedValue('/logos/h.webp')
    vi.mocked(fetchLogo).mockResolvedValue()
  })
  const url = 'https://cdn.acme.com/l.png'

  test('a second import fetches a logo from the row’s address again', () =>
    as('ada', async (ctx) => {
      const [acme] = await add(ctx, {})
      const companyId = acme?.id as string
      await fetchImportedLogo(ctx, { companyId, url }, async () => ({
        url,
        body: Buffer.from('picture'),
        contentType: 'image/png',
      }))
      expect(keepLogo).toHaveBeenCalledOnce()
      expect(fetchLogo).not.toHaveBeenCalled()
    }))

  test('a logo comes from the company’s own site if there’s no picture', () =>
    as('ada', async (ctx) => {
      const [acme] = await add(ctx, {})
      const companyId = acme?.id as string
      for (const [times, fetchPublic] of [
        async () => ({ url, body: Buffer.from('<svg>'), contentType: '' }),
        async () => {
          throw new Error('Not a public address')
        },
      ].entries()) {
        await fetchImportedLogo(ctx, { companyId, url }, fetchPublic)
        expect(keepLogo).not.toHaveBeenCalled()
        expect(fetchLogo).toHaveBeenCalledTimes(times + 1)
      }
    }))

  test('a logo at an internal address isn’t fetched, and an existing one stays', () =>
    as('ada', async (ctx) => {
      const [acme] = await add(ctx, {})
      const companyId = acme?.id as string
      await fetchImportedLogo(ctx, { companyId, url: 'http://127.0.0.1/l.png' })
      expect(logoOf).not.toHaveBeenCalled()
      await ctx.db.query(sql`update companies set logo_url = '/logos/x.webp'`)
      const fetchPublic = vi.fn()
      await fetchImportedLogo(ctx, { companyId, url }, fetchPublic)
      expect(fetchPublic).not.toHaveBeenCalled()
    }))
})

describe('an import by an administrator', () => {
  test.each(['ada', 'olga'] as const)('the log has how many companies %s imported', (name) =>
    as(name, async (ctx) => {
      const onImported = vi.fn()
      const logged = () => ctx.db.query(sql`select action, subject from admin_log`)
      await send(ctx, [{ name: 'Acme' }, { name: 'Acme' }], { onImported })
      expect(onImported).toHaveBeenCalledOnce()
      const entry = { action: 'import-companies', subject: '1 company' }
      expect(await logged()).toEqual([entry])
      await send(ctx, [{ name: 'Acme' }], { onImported })
      expect(onImported).toHaveBeenCalledOnce()
      expect(await logged()).toEqual([entry])
    }),
  )
})

describe('a file on this machine', () => {
  const fileOf = async (name: string, text: string | Buffer) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return { path, format: 'csv' as const, ...(await surveyFile(path, 'csv')) }
  }
  const manyRows = (count: number) =>
    `name,website\n${Array.from({ length: count }, (_, i) => `Firm ${i},firm${i}.example.com\n`).join('')}`

  test('an import resumes where it was interrupted and says when it’s done', () =>
    as('ada', async (ctx) => {
      const file = await fileOf('many.csv', `${manyRows(1200)}Firm 7,\n,javascript:x\n`)
      expect(file.rows).toBe(1202)
      for await (const report of importFile(ctx, file)) {
        expect(report).toMatchObject({ rows: 500, total: 1202 })
        // Ctrl-C.
        break
      }
      expect(await importOf(ctx, file.hash)).toEqual({
        rows: 500,
        added: 500,
        skipped: 0,
        failed: 0,
        isFinished: false,
      })
      insert.mockClear()
      const report = await lastOf(importFile(ctx, file))
      expect(report).toMatchObject({ rows: 1202, added: 1200, skipped: 1, failed: 1 })
      expect(insert.mock.calls.flatMap(([, rows]) => rows)).toHaveLength(700)
      expect(await importOf(ctx, file.hash)).toMatchObject({ added: 1200, isFinished: true })
      // A third time there is nothing to do, and asked for it once more it adds nothing.
      expect(await lastOf(importFile(ctx, file))).toBeUndefined()
      const again = await lastOf(importFile(ctx, file, { isAgain: true }))
      expect(counts(again)).toEqual({ added: 0, skipped: 1201, failed: 1 })
    }))

  test('a failed batch leaves nothing', () =>
    as('ada', async (ctx) => {
      const file = await fileOf('break.csv', manyRows(600))
      insert.mockImplementation(async (...given) => {
        const added = await reallyInsert(...given)
        if (given[1].length < 500) throw new Error('The power went out')
        return added
      })
      await expect(lastOf(importFile(ctx, file))).rejects.toThrow('The power went out')
      expect(await importOf(ctx, file.hash)).toMatchObject({ rows: 500, added: 500 })
      expect(await companies(ctx)).toHaveLength(500)
    }))

  test.each([
    ['a ZIP archive', Buffer.from('PK\x03\x04 and more')],
    ['titles alone', 'name,website\n\n'],
  ])('a file that can’t be read to its end writes nothing: %s', async (_, text) => {
    await expect(fileOf('broken.csv', text)).rejects.toMatchObject({ status: 400 })
  })

  slow.test(
    '5,000 checked rows are imported in batches, two of which are in memory',
    () =>
      as('ada', async (ctx) => {
        let ahead = 0
        async function* rows() {
          for (let i = 0; i < 5000; i++) {
            ahead++
            yield { row: i + 2, given: { name: `Firm ${i}`, website: `f${i}.example.com` } }
          }
        }
        // The next one is read while the database works.
        for await (const report of runImport(ctx, rows(), { total: 5000 }))
          expect(ahead - report.rows).toBeLessThanOrEqual(500)
        expect(await companies(ctx)).toHaveLength(5000)
      }),
    60_000,
  )
})

test('a database with few connections gets one batch after the other', () => {
  expect(batchesAtOnceOf(5)).toBe(1)
  expect(batchesAtOnceOf(6)).toBe(2)
})

describe('batches side by side', () => {
  const ctx = (): ServerContext => ({
    db: outside(),
    events: [],
    now: () => NOW,
    secrets: testSecrets,
    queue: createQueue(outside(), { now: () => NOW }),
  })
  const beside = { batchesAtOnce: 2 }
  afterEach(async () => {
    await outside().query(sql`delete from companies`)
    await outside().query(sql`delete from imports`)
  })

  const firm = (i: number) => ({ name: `Firm ${i}`, website: `https://firm${i}.example.com` })
  const firms = (count: number) => Array.from({ length: count }, (_, i) => firm(i))
  const numbered = (rows: unknown[]) => rows.map((given, i) => ({ row: i + 1, given }))
  const fileOf = async (rows: { name?: string; website?: string }[]) => {
    const path = join(folder, 'beside.csv')
    const lines = rows.map(({ name = '', website = '' }) => `${name},${website}\n`)
    await writeFile(path, `name,website\n${lines.join('')}`)
    return { path, format: 'csv' as const, ...(await surveyFile(path, 'csv')) }
  }
  const countCompanies = async () => (await companies(ctx())).length
  const until = (isSo: () => Promise<boolean>) => expect.poll(isSo, { interval: 10 }).toBe(true)
  const keysOf = async () =>
    (await outside().query<{ hash: string }>(sql`select hash from imports order by hash`)).map(
      ({ hash }) => hash,
    )
  /** The batch of row 0 is written when the database holds so many companies. */
  const theFirstWaitsFor = (count: number, then = reallyInsert) =>
    insert.mockImplementation(async (...given) => {
      if (given[1][0]?.name !== 'Firm 0') return reallyInsert(...given)
      await until(async () => (await countCompanies()) === count)
      return then(...given)
    })
  const goneOff = async () => {
    throw new Error('The power went out')
  }

  slow.test('a later batch can commit first, and the report keeps the file’s order', async () => {
    const rows: unknown[] = firms(1300)
    rows[3] = { website: 'javascript:x' }
    rows[503] = 'text'
    const reports: ImportReport[] = []
    theFirstWaitsFor(499)
    for await (const report of runImport(ctx(), numbered(rows), {
      total: 1300,
      ...beside,
    }))
      reports.push(report)
    expect(reports.map((report) => report.rows)).toEqual([500, 1000, 1300])
    expect(reports.map(counts)).toEqual([
      { added: 499, skipped: 0, failed: 1 },
      { added: 998, skipped: 0, failed: 2 },
      { added: 1298, skipped: 0, failed: 2 },
    ])
    expect(reports[2]?.failures.map(({ row }) => row)).toEqual([4, 504])
    expect(await countCompanies()).toBe(1298)
  })

  slow.test(
    'the earlier of two equal rows in two batches is added, as if they ran one by one',
    async () => {
      const rows = [
        ...firms(499),
        { website: 'https://nameless.example.com' },
        { name: 'FIRM 3' },
        { name: 'Another name', website: 'http://www.firm4.example.com' },
        { website: 'https://nameless-too.example.com' },
        ...firms(900).slice(600),
      ]
      const one = await lastOf(runImport(ctx(), numbered(rows), { total: rows.length }))
      const slugsOfOne = await slugs(ctx())
      await outside().query(sql`delete from companies`)

      const order: string[] = []
      insert.mockImplementation(async (...given) => {
        const first = given[1][0]?.name ?? ''
        order.push(first)
        if (first === 'Firm 0') await new Promise((resolve) => setTimeout(resolve, 200))
        return reallyInsert(...given)
      })
      const two = await lastOf(runImport(ctx(), numbered(rows), { total: rows.length, ...beside }))
      expect(two).toEqual(one)
      expect(counts(two)).toEqual({ added: 801, skipped: 2, failed: 0 })
      expect(two.skips.map(({ row, sameAs }) => [row, sameAs.path])).toEqual([
        [501, '/firm-3'],
        [502, '/firm-4'],
      ])
      expect(await slugs(ctx())).toEqual(slugsOfOne)
      expect(order).toEqual(['Firm 0', 'Unknown Company'])
    },
  )

  slow.test('a failed batch leaves nothing, and the other one is done once', async () => {
    const file = await fileOf(firms(1000))
    theFirstWaitsFor(500, goneOff)
    await expect(lastOf(importFile(ctx(), file, beside))).rejects.toThrow('The power went out')
    expect(await slugs(ctx())).not.toContain('firm-0')
    expect(await slugs(ctx())).toContain('firm-500')
    const before = await importOf(ctx(), file.hash)
    expect(before).toEqual({ rows: 500, added: 500, skipped: 0, failed: 0, isFinished: false })
    expect(await keysOf()).toEqual([`${file.hash}+500`])

    insert.mockReset()
    const reports: ImportReport[] = []
    for await (const report of importFile(ctx(), file, beside)) reports.push(report)
    expect(reports.at(-1)).toMatchObject({ rows: 1000, added: 1000, skipped: 0, failed: 0 })
    expect(insert.mock.calls.flatMap(([, rows]) => rows)).toHaveLength(500)
    expect(await importOf(ctx(), file.hash)).toEqual({
      rows: 1000,
      added: 1000,
      skipped: 0,
      failed: 0,
      isFinished: true,
    })
    expect(await keysOf()).toEqual([file.hash])
    expect(await countCompanies()).toBe(1000)
  })

  slow.test('Ctrl-C finishes and remembers the running batches', async () => {
    const file = await fileOf(firms(1200))
    insert.mockImplementation(async (...given) => {
      if (given[1][0]?.name !== 'Firm 0') await new Promise((resolve) => setTimeout(resolve, 200))
      return reallyInsert(...given)
    })
    for await (const report of importFile(ctx(), file, beside)) {
      expect(report.rows).toBe(500)
      break
    }
    expect(await countCompanies()).toBe(1000)
    expect(await importOf(ctx(), file.hash)).toMatchObject({ rows: 1000, isFinished: false })
    const report = await lastOf(importFile(ctx(), file, beside))
    expect(report).toMatchObject({ rows: 1200, added: 1200, skipped: 0 })
    expect(await keysOf()).toEqual([file.hash])
  })

  slow.test('a run from the start ignores what an earlier one remembered', async () => {
    const file = await fileOf(firms(1000))
    theFirstWaitsFor(500, goneOff)
    await expect(lastOf(importFile(ctx(), file, beside))).rejects.toThrow()
    insert.mockReset()
    await outside().query(sql`delete from companies`)
    const report = await lastOf(importFile(ctx(), file, { ...beside, isAgain: true }))
    expect(report).toMatchObject({ rows: 1000, added: 1000, skipped: 0 })
    expect(await countCompanies()).toBe(1000)
    expect(await keysOf()).toEqual([file.hash])
  })

  test('a row that the database refuses fails alone, and the counters are exact', async () => {
    const db = outside()
    await db.query(sql`alter table companies add constraint odd check (name <> 'Firm 7')`)
    try {
      const rows = numbered(firms(1000).map((row, i) => ({ ...row, category: `C${i % 7}` })))
      const report = await lastOf(runImport(ctx(), rows, { total: 1000, ...beside }))
      expect(counts(report)).toEqual({ added: 999, skipped: 0, failed: 1 })
      expect(report.failures).toEqual([{ row: 8, reason: 'The database rejected this row' }])
    } finally {
      await db.query(sql`alter table companies drop constraint odd`)
    }
    expect(
      await db.query(sql`
        select (select sum(companies) from categories) as counted,
               (select count(*) from company_stats) as stats,
               (select count(*) from (
                 select category, count(*) from companies group by 1
                 except select name, companies from categories) wrong) as wrong`),
    ).toEqual([{ counted: 999, stats: 999, wrong: 0 }])
  })

  test('batches of names without a slug don’t wait for each other', async () => {
    const rows: { name: string }[] = firms(1000)
    rows[1] = { name: '茶' }
    rows[501] = { name: '珈琲' }
    theFirstWaitsFor(500)
    const report = await lastOf(runImport(ctx(), numbered(rows), { total: 1000, ...beside }))
    expect(counts(report)).toEqual({ added: 1000, skipped: 0, failed: 0 })
  })

  test('many small imports leave a large one the connections it needs', async () => {
    const few = Array.from({ length: 12 }, (_, i) =>
      lastOf(runImport(ctx(), numbered([{ name: `Acme ${i}` }]), { total: 1, ...beside })),
    )
    const many = lastOf(runImport(ctx(), numbered(firms(600)), { total: 600, ...beside }))
    expect((await Promise.all([...few, many])).map(({ added }) => added)).toEqual([
      ...Array(12).fill(1),
      600,
    ])
  })

  test('two simultaneous imports of one file add each company once, even in two processes', async () => {
    const [place] = await outside().query<{ name: string }>(sql`select current_database() as name`)
    const url = databaseAt(inject('postgresUrl'), place?.name as string)
    const elsewhere = await openPostgres({ url, connections: 4 })
    const rows = firms(1600)
    // Only the websites tell that they are the same: no index refuses them.
    const othersOf = (rows: { name: string; website: string }[]) =>
      rows.map(({ name, website }) => ({ name: `The ${name}`, website }))
    const run = (ctx: ServerContext, rows: unknown[]) =>
      lastOf(runImport(ctx, numbered(rows), { total: rows.length, ...beside }))
    try {
      const reports = await Promise.all([
        run(ctx(), rows),
        run({ ...ctx(), db: elsewhere }, othersOf(rows)),
        lastOf(runImport(ctx(), numbered(rows.slice(0, 30)), { total: 30 })),
      ])
      const sum = (kind: 'added' | 'skipped') => reports.reduce((n, report) => n + report[kind], 0)
      expect([sum('added'), sum('skipped')]).toEqual([1600, 1630])
      expect(await countCompanies()).toBe(1600)
    } finally {
      await elsewhere.close()
    }
  })
})

describe('over HTTP', () => {
  async function site(ctx: Ctx, settings: Partial<ImportApi> = {}) {
    const app = bareHttp({ bodyLimit: 256 * 1024 })
    await registerImports(app, async () => ctx, { folder, ...settings })
    return app
  }
  const upload = async (
    ctx: Ctx,
    payload: string | Buffer,
    headers: Record<string, string> = {},
    settings: Partial<ImportApi> = {},
  ) => {
    const app = await site(ctx, settings)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/imports',
      headers: { 'content-type': 'text/csv', ...headers },
      payload,
    })
    await app.close()
    return answer
  }
  const call = async (ctx: Ctx, payload: unknown, headers: Record<string, string> = {}) => {
    const app = await site(ctx)
    const answer = await app.inject({
      method: 'POST',
      url: '/functions/v1/import-companies-custom',
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
    await app.close()
    return { status: answer.statusCode, body: answer.json() }
  }

  test('an administrator sends a file and gets the report', () =>
    as('ada', async (ctx) => {
      const file = '\ufeffCompany;Sector\r\nAcme;Tea\r\nACME;\r\n"";"x\0"\r\n'.replace('\0', '\x07')
      const answer = await upload(ctx, file)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({
        rows: 3,
        total: 3,
        added: 1,
        skipped: 1,
        failed: 1,
        skips: [{ row: 3, name: 'ACME', sameAs: { name: 'Acme', path: '/acme' }, changed: [] }],
        filled: 0,
        fields: {},
        failures: [{ row: 4, reason: 'The category contains a control character' }],
        doubtful: 0,
        doubts: [],
        omittedCount: 0,
        omittedCells: [],
        importId: expect.any(String),
      })
      expect((await readdir(folder)).filter((name) => name.startsWith('kettle-import'))).toEqual([])
    }))

  test('JSON comes as an array or as lines', () =>
    as('ada', async (ctx) => {
      const type = { 'content-type': 'application/json' }
      expect((await upload(ctx, '[{"name":"Acme"}]', type)).json()).toMatchObject({ added: 1 })
      const lines = { 'content-type': 'application/x-ndjson; charset=utf-8' }
      expect((await upload(ctx, '{"name":"Acme"}\n{"name":"B"}', lines)).json()).toMatchObject({
        added: 1,
        skipped: 1,
      })
    }))

  test('an import streams its progress line by line if you ask for it', () =>
    as('ada', async (ctx) => {
      const rows = Array.from({ length: 700 }, (_, i) => `Firm ${i}\n`).join('')
      const answer = await upload(ctx, `name\n${rows}`, { accept: 'application/x-ndjson' })
      expect(answer.headers['content-type']).toContain('application/x-ndjson')
      const lines = answer.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines).toMatchObject([
        { progress: { rows: 0, total: 700 } },
        { progress: { rows: 500, total: 700 } },
        { progress: { rows: 700, total: 700 } },
        { report: { added: 700 } },
      ])
      // The next one doesn't have to wait.
      expect((await upload(ctx, 'name\nAcme\n')).statusCode).toBe(200)
      expect((await readdir(folder)).filter((name) => name.startsWith('kettle-import'))).toEqual([])
    }))

  test.each([
    ['vera', 401],
    ['dana', 403],
    ['erin', 403],
  ] as const)('%s can’t import, and the file isn’t kept', (name, status) =>
    as(name, async (ctx) => {
      expect((await upload(ctx, 'name\nAcme\n')).statusCode).toBe(status)
      expect((await call(ctx, { companies: [{ name: 'Acme' }] })).status).toBe(status)
      expect(await companies(ctx)).toEqual([])
    }),
  )

  test('a file without companies is refused with a sentence', () =>
    as('ada', async (ctx) => {
      const told = async (file: string | Buffer, type = 'text/csv') => {
        const answer = await upload(ctx, file, { 'content-type': type })
        return [answer.statusCode, answer.json().error.message]
      }
      expect(await told('x', 'image/png')).toEqual([415, 'Please send a CSV or JSON file'])
      expect(await told('')).toEqual([400, 'Please send a file'])
      expect(await told('name\n')).toEqual([400, 'No valid data to import'])
      expect(await told('Symbol,Sector\nACM,Tea\n')).toEqual([
        400,
        expect.stringMatching(
          /^The file has columns Symbol, Sector, but none looks like a name. The first row must/,
        ),
      ])
      expect(await told(Buffer.from('PK\x03\x04 and more'))).toEqual([
        400,
        'This is a ZIP archive, not a CSV file. Unpack it and send the file inside.',
      ])
      expect(await told(Buffer.alloc(50 * 1024 * 1024 + 1, 'a\n'))).toEqual([
        413,
        'A file can be at most 50 MB',
      ])
      expect(await companies(ctx)).toEqual([])
      expect((await readdir(folder)).filter((name) => name.startsWith('kettle-import'))).toEqual([])
    }))

  test('the template can be imported', () =>
    as('ada', async (ctx) => {
      const app = await site(ctx)
      const template = await app.inject('/api/v1/imports/template.csv')
      await app.close()
      expect(template.headers['content-disposition']).toContain('companies.csv')
      expect((await upload(ctx, template.body)).json()).toMatchObject({ added: 1, failed: 0 })
    }))

  test('Spec §7.3: the function answers success, imported and error, and nothing else', () =>
    as('ada', async (ctx) => {
      expect(await call(ctx, { companies: [{ name: 'Acme' }, { name: 'Zenith' }] })).toEqual({
        status: 200,
        body: { success: true, imported: 2, error: null },
      })
      expect(await call(ctx, { companies: [{ name: 'Acme' }] })).toEqual({
        status: 200,
        body: { success: true, imported: 0, error: null },
      })
      expect(
        await call(ctx, { companies: [{ name: 'Fine' }, { website: 'ftp://x.com' }] }),
      ).toEqual({
        status: 200,
        body: {
          success: true,
          imported: 1,
          error:
            '1 row of 2 was not imported. Row 2: The website must start with http:// or https://.',
        },
      })
    }))

  test.each([
    ['nothing', '', 400, 'This isn’t valid JSON'],
    ['no JSON', '{', 400, 'This isn’t valid JSON'],
    ['another shape', '[]', 400, 'Please send { "companies": [ … ] }'],
    ['null', 'null', 400, 'Please send { "companies": [ … ] }'],
    ['no companies', '{"companies":[]}', 400, 'No valid data to import'],
    [
      'bad ones only',
      '{"companies":[7]}',
      400,
      '1 row of 1 was not imported. Row 1: This row isn’t a company.',
    ],
    [
      'too many',
      JSON.stringify({ companies: Array(1001).fill({}) }),
      400,
      'Please send at most 1,000 companies',
    ],
    [
      '4 MB',
      `{"companies":[{"name":"${'x'.repeat(4 * 1024 * 1024)}"}]}`,
      413,
      'Please send fewer companies at a time',
    ],
  ])('the function refuses %s in the same shape', (_, body, status, error) =>
    as('ada', async (ctx) => {
      expect(await call(ctx, body)).toEqual({
        status,
        body: { success: false, imported: 0, error },
      })
      expect(await companies(ctx)).toEqual([])
    }),
  )

  test('the function refuses strangers in the same shape, before it reads what they send', () =>
    as('dana', async (ctx) => {
      expect(await call(ctx, '{')).toEqual({
        status: 403,
        body: {
          success: false,
          imported: 0,
          error: 'Only an administrator can import companies',
        },
      })
      const app = await site(ctx)
      const read = await app.inject('/functions/v1/import-companies-custom')
      expect([read.statusCode, read.json().success]).toEqual([405, false])
      await app.close()
    }))

  slow.test('a request of the function can have a thousand companies with long descriptions', () =>
    as('ada', async (ctx) => {
      const rows = Array.from({ length: 1000 }, (_, i) => ({
        name: `Firm ${i}`,
        description: 'x'.repeat(500),
      }))
      expect((await call(ctx, { companies: rows })).body).toMatchObject({ imported: 1000 })
    }),
  )
})
