/** Jobs that come in files. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type FileFormat, rowsIn } from '#app/companies/importing/file-rows.server.ts'
import type { ImportReport } from '#app/companies/importing/import-report.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { deleteJob, JOB_POSTED_TASK } from '../postings/job-commands.server.ts'
import { listJobs } from '../search/job-search.server.ts'
import { importJobs } from './job-import.server.ts'
import { JOB_TABLE } from './read-job.server.ts'

const { as } = withDatabase()

const JOB = {
  company: 'erin-and-sons',
  title: 'Head of steam',
  description: 'Keeps all kettles boiling, in three shifts, all year round.',
  city: 'Berlin;Paris',
  country: 'Germany;FR',
  remote_policy: 'Hybrid',
  hybrid_days: '3',
  employment_type: 'FULL_TIME',
  seniority: 'Senior',
  salary_min: '50,000',
  salary_max: 70_000,
  salary_currency: 'eur',
  tags: ['steam', 'copper'],
  apply_email: 'jobs@erin.example',
  posted_date: '2026-03-01',
  id: 'feed-1',
}

async function importAll(ctx: Ctx, text: string, format: FileFormat = 'json') {
  async function* chunks() {
    yield Buffer.from(text)
  }
  let report: ImportReport | undefined
  for await (const next of importJobs(ctx, rowsIn(chunks(), format, JOB_TABLE), 1)) report = next
  return report as ImportReport
}
const importOne = (ctx: Ctx, over: object) => importAll(ctx, JSON.stringify([{ ...JOB, ...over }]))
const all = async (ctx: Ctx) => (await listJobs(ctx, { sort: 'newest', limit: 50 })).jobs

describe('a feed of jobs', () => {
  test('a feed adds its jobs once, and alerts people', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      expect(await importOne(ctx, {})).toMatchObject({ rows: 1, added: 1, skipped: 0, failed: 0 })
      expect(await importOne(ctx, { title: 'Head of steam, again' })).toMatchObject({
        ...{ added: 0, skipped: 1 },
        skips: [{ row: 1, sameAs: { name: 'Head of steam' } }],
      })
      expect(await all(ctx)).toMatchObject([
        {
          title: 'Head of steam',
          company: { name: 'Erin and Sons' },
          places: [
            { city: 'Berlin', country: 'DE' },
            { city: 'Paris', country: 'FR' },
          ],
          ...{ remotePolicy: 'hybrid', hybridDays: 3, employmentType: 'full-time' },
          salary: { minimum: 50_000, maximum: 70_000, currency: 'EUR', period: 'year' },
          ...{ seniority: 'senior', tags: ['steam', 'copper'] },
          ...{ postedOn: '2026-03-01', validThrough: '2026-04-30', status: 'open' },
        },
      ])
      const told = await ctx.db.query(sql`select from job_queue where kind = ${JOB_POSTED_TASK}`)
      expect(told).toHaveLength(1)
    }))

  test.each([
    { of: 'with ids', id: 'feed-1' },
    { of: 'without ids', id: '' },
  ])('a feed $of doesn’t bring back what erin deleted', ({ id }) =>
    as('erin', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await importOne(ctx, { id })
      const [job] = await all(ctx)
      await deleteJob(ctx, job?.id ?? '')
      expect(await importOne(ctx, { id })).toMatchObject({ added: 0, skipped: 1, skips: [] })
      expect(await all(ctx)).toEqual([])
      expect(await importOne(ctx, { id: 'feed-2', title: 'Foot of steam' })).toMatchObject({
        added: 1,
      })
    }),
  )

  test('a feed can be a table with long descriptions, and be read again without ids', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const csv = [
        'Company;Title;Description;City;Country;Salary Min;Salary Max;Salary Currency;Apply Link',
        `Erin and Sons;Taster;"${'Tea; and "" more.\n'.repeat(900)}";Ulm;DE;1;2;EUR;https://example.com/1`,
        `ERIN AND SONS;Pourer;"${'Tea and more tea. '.repeat(3)}";Ulm;DE;1;2;EUR;https://example.com/1`,
        ';;;;;;;;',
        'Nobody & Co;Taster;Tea;Ulm;DE;1;2;EUR;https://example.com/1',
      ].join('\r\n')
      const nobody = { row: 4 + 1, reason: expect.stringContaining('A description needs at least') }
      expect(await importAll(ctx, csv, 'csv')).toMatchObject({
        added: 2,
        failed: 1,
        failures: [nobody],
      })
      expect(await importAll(ctx, csv, 'csv')).toMatchObject({ added: 0, skipped: 2, failed: 1 })
      expect(await all(ctx)).toHaveLength(2)
    }))

  test('a feed names a company by its slug, an old slug, its name or its website', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(
        sql`update companies set website = 'https://www.erin.example/' where id = ${id}`,
      )
      await ctx.db.query(
        sql`insert into company_old_slugs (slug, company_id) values ('erin', ${id})`,
      )
      const names = [
        'erin-and-sons',
        'erin',
        'Erin and Sons',
        'erin.example',
        'https://erin.example/jobs',
      ]
      for (const [n, company] of names.entries())
        expect(await importOne(ctx, { company, id: `feed ${n}` }), company).toMatchObject({
          added: 1,
        })
    }))

  test('a feed that names one of two companies with the same name isn’t guessed', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`
        insert into companies (name, name_key, slug)
        select 'Twin', 'twin', slug from unnest(array['twin-1', 'twin-2']) slug`)
      expect((await importOne(ctx, { company: 'Twin' })).failures).toEqual([
        { row: 1, reason: 'Several companies are called "Twin". Please give the slug.' },
      ])
      expect(await importOne(ctx, { company: 'twin-2' })).toMatchObject({ added: 1 })
    }))

  test.each([
    [{ valid_through: '2026-03-13' }, 'This job expired on 2026-03-13'],
    [{ posted_date: '2026-01-01' }, 'This job expired on 2026-03-02'],
    [{ posted_date: '2026-03-15' }, 'The posted_date 2026-03-15 is in the future'],
    [
      { posted_date: '0001-01-01', valid_through: '2026-04-01' },
      'The posted_date 0001-01-01 is too old',
    ],
    [{ posted_date: '2026-02-30' }, '“2026-02-30” isn’t a date, such as 2026-03-14'],
    [{ valid_through: 'soon' }, '“soon” isn’t a date, such as 2026-03-14'],
    [{ posted_date: '03/05/2026' }, '“03/05/2026” could be 2026-05-03 or 2026-03-05'],
    [{ salary_min: '80000' }, 'The maximum salary is below the minimum'],
    [{ salary_min: '' }, 'Please give a minimum and a maximum salary'],
    [{ salary_min: 'a lot' }, '“a lot” isn’t a number'],
    [{ salary_min: '60.000' }, '“60.000” could be 60 or 60,000'],
    [{ salary_currency: '' }, 'We don’t know this currency. Use a code such as EUR or USD.'],
    [{ salary_period: 'decade' }, 'The salary_period must be one of year, month, week, day, hour'],
    [{ employment_type: 'gig' }, expect.stringContaining('must be one of full-time')],
    [{ company: 'Nobody & Co' }, 'We don’t know the company "Nobody & Co"'],
    [{ company: '' }, 'This row doesn’t name a company'],
    [{ company: '\0' }, 'We don’t know the company ""'],
    [
      { apply_email: '', apply_link: 'javascript:alert(1)' },
      'The application page must start with http:// or https://',
    ],
    [{ hybrid_days: '' }, 'Please say how many days a week people are in the office, from 1 to 4'],
    [
      { hybrid_days: 'three' },
      'Please say how many days a week people are in the office, from 1 to 4',
    ],
    [{ remote_policy: 'sometimes' }, 'The remote_policy must be one of on-site, hybrid, remote'],
    [{ country: 'Atlantis' }, 'We don’t know the country “Atlantis”'],
    [{ country: 'DE;FR;US' }, 'Each city needs its country'],
    [{ city: '', country: '' }, 'Please say where people work'],
    [{ description: { html: 'x' } }, 'The description must be text'],
    [{ tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) }, 'A job can have at most 10 tags'],
    [{ title: 'Tea' }, 'A title needs at least 4 characters'],
  ])('%o fails with a sentence, and the next row continues', (over, reason) =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const rows = [
        { ...JOB, ...over },
        { ...JOB, id: 'feed-2' },
      ]
      expect(await importAll(ctx, JSON.stringify(rows))).toMatchObject({
        ...{ rows: 2, added: 1, failed: 1 },
        failures: [{ row: 1, reason }],
      })
    }),
  )

  test.each([
    [{ employment_type: 'CONTRACTOR', salary_period: 'DAY' }, 'contract', 'day'],
    [{ employment_type: 'INTERN', salary_period: 'per week' }, 'internship', 'week'],
    [{ employment_type: 'PER_DIEM', salary_period: 'HOURLY' }, 'temporary', 'hour'],
    [{ employment_type: 'N/A', salary_period: 'annual' }, 'full-time', 'year'],
    [{ employment_type: 'VOLUNTEER', salary_period: 'WEEK' }, 'volunteer', 'week'],
    [{ employment_type: ['OTHER', 'PART_TIME'], salary_period: 'MON' }, 'other', 'month'],
    [{ employment_type: 'permanent', salary_period: 'p.a.' }, 'full-time', 'year'],
  ])('a feed can say %o in other words', (over, employmentType, period) =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      expect(await importOne(ctx, over)).toMatchObject({ added: 1 })
      expect(await all(ctx)).toMatchObject([{ employmentType, salary: { period } }])
    }),
  )

  test('a feed can be schema.org’s JobPosting, with a description in HTML', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const nested = {
        '@type': 'JobPosting',
        title: 'Head of steam',
        description:
          '<p>We repair &amp; restore <b>kettles</b>.</p><ul><li>Small screws</li><li>Old whistles</li></ul><script>alert(1)</script><p>Come &#39;round.</p>',
        datePosted: 'Fri, 27 Feb 2026 12:00:00 GMT',
        validThrough: '2026-04-20T00:00',
        employmentType: ['FULL_TIME'],
        identifier: { '@type': 'PropertyValue', value: 'h-1' },
        url: 'https://jobs.erin.example/1',
        hiringOrganization: { '@type': 'Organization', name: 'Erin and Sons' },
        jobLocation: [
          { '@type': 'Place', address: { addressLocality: 'Berlin', addressCountry: 'DE' } },
        ],
        baseSalary: {
          currency: 'EUR',
          value: { minValue: 60_000, maxValue: 75_000, unitText: 'YEAR' },
        },
      }
      expect(await importAll(ctx, JSON.stringify([nested]))).toMatchObject({
        added: 1,
        failures: [],
      })
      const [kept] = await ctx.db.query<{ description: string }>(
        sql`select description from job_postings`,
      )
      expect(kept?.description).toBe(
        "We repair & restore kettles.\n\n- Small screws\n- Old whistles\n\nCome 'round.",
      )
      expect(await all(ctx)).toMatchObject([
        {
          places: [{ city: 'Berlin', country: 'DE' }],
          salary: { minimum: 60_000, maximum: 75_000, currency: 'EUR', period: 'year' },
          validThrough: '2026-04-20',
        },
      ])
    }))

  const posting = {
    title: 'Head of steam',
    description: '<p>We repair &amp; restore kettles, and we like small screws.</p>',
    hiringOrganization: { '@type': 'Organization', name: 'Erin and Sons' },
    url: 'https://jobs.erin.example/1',
  }
  const POSTING = '@context":"https://schema.org","@type'
  test.each([
    [
      'in a list',
      `{"${POSTING}":"ItemList","name":"Jobs","itemListElement":[{"@type":"ListItem","position":1,"item":`,
      ']}',
      { baseSalary: { currency: 'EUR', value: { value: 60_000, unitText: 'YEAR' } } },
    ],
    [
      'in a graph, next to other things',
      '{"@context":"https://schema.org","@graph":[{"@type":"Organization","name":"x"},',
      ']}',
      { baseSalary: { currency: 'EUR', value: 60_000 } },
    ],
    ['alone', '', '', { baseSalary: 60_000, salaryCurrency: 'EUR' }],
  ])('a feed can be a JobPosting %s for remote work', (_, before, after, pay) =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const remote = {
        ...{ '@type': 'JobPosting', jobLocationType: 'TELECOMMUTE' },
        applicantLocationRequirements: { '@type': 'Country', name: 'Germany' },
      }
      const item = JSON.stringify({ ...posting, ...remote, ...pay })
      const isWrapped = before.includes('"item":')
      const report = await importAll(ctx, `${before}${item}${isWrapped ? '}' : ''}${after}`)
      expect(report).toMatchObject({ added: 1, failures: [] })
      expect(await all(ctx)).toMatchObject([
        {
          ...{ remotePolicy: 'remote', remoteRegions: ['DE'], places: [] },
          salary: { minimum: 60_000, maximum: 60_000, currency: 'EUR', period: 'year' },
        },
      ])
    }),
  )

  test('a feed can be the usual kind of XML', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const xml = `<?xml version="1.0" encoding="utf-8"?><source><publisher>Shop</publisher><job>
        <title><![CDATA[R&amp;D fitter]]></title><date><![CDATA[Fri, 27 Feb 2026 12:00:00 GMT]]></date>
        <referencenumber>7</referencenumber><url><![CDATA[https://jobs.example/7?a=1&b=2]]></url>
        <company>Erin and Sons</company><location>Berlin, Germany</location><email>hr@erin.example</email>
        <description>&lt;p&gt;We repair clocks, and look for someone patient.&lt;/p&gt;</description>
        <jobtype>part-time, contract</jobtype><salary>60000 - 75000 EUR</salary></job></source>`
      expect(await importAll(ctx, xml, 'xml')).toMatchObject({ added: 1, failures: [] })
      expect(await all(ctx)).toMatchObject([
        {
          ...{ title: 'R&D fitter', employmentType: 'part-time', postedOn: '2026-02-27' },
          places: [{ city: 'Berlin', country: 'DE' }],
          salary: { minimum: 60_000, maximum: 75_000, currency: 'EUR', period: 'year' },
          excerpt: 'We repair clocks, and look for someone patient.',
        },
      ])
    }))

  test('a feed is read even if its markup is nested as deeply as an attacker likes', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const description = `<p>${JOB.description}</p>${'<div>'.repeat(5_000)}`
      expect(await importOne(ctx, { description })).toMatchObject({ added: 1 })
    }))

  test('a feed’s job is open for at most sixty days from today', () =>
    as('vera', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await importOne(ctx, { valid_through: '2031-01-01T00:00:00Z' })
      expect((await all(ctx))[0]?.validThrough).toBe('2026-05-13')
    }))
})
