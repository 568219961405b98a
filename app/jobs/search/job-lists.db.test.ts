/** Lists of jobs against a plain oracle, over random jobs: every filter, both orders, all pages. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { countryName } from '#app/kit/writing/countries.ts'
import { foldText } from '#app/kit/writing/text.ts'
import { slow } from '#tests/support/amounts.ts'
import { withDatabase } from '#tests/support/database.ts'
import type { JobRow } from '../job.contract.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_SORTS,
  POSTED_WITHIN,
  REMOTE_POLICIES,
  type Salary,
  yearly,
} from '../job.ts'
import { checkedJob, dollarsAYear } from '../postings/job-check.server.ts'
import { insertJob } from '../postings/job-commands.server.ts'
import { BANDS, type JobListQuery, RUNGS } from './job-lookup.server.ts'
import { listJobs } from './job-search.server.ts'

const { as } = withDatabase()

/** The same numbers each time. */
function createChance(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return { below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item }
}
type Chance = ReturnType<typeof createChance>

const COMPANIES = ['Acme Teapots', 'Globex', 'Initech Kettles']
const PLACES = [
  { city: 'Berlin', country: 'DE' },
  { city: 'München', country: 'DE' },
  { city: 'Paris', country: 'FR' },
  { city: 'Paris', country: 'US' },
  { city: 'New York', country: 'US' },
]
const SALARIES: Salary[] = [
  { minimum: 50_000, maximum: 70_000, currency: 'EUR', period: 'year' },
  { minimum: 4_000, maximum: 5_000.5, currency: 'EUR', period: 'month' },
  { minimum: 15, maximum: 25.25, currency: 'USD', period: 'hour' },
  { minimum: 90_000, maximum: 120_000, currency: 'USD', period: 'year' },
  { minimum: 120_000, maximum: 120_000, currency: 'USD', period: 'year' },
  { minimum: 20_000_000, maximum: 30_000_000, currency: 'IDR', period: 'month' },
]
const TITLES = ['Tea taster', 'Kettle engineer', 'Engineer of whistles', 'Barista']
const TAGS = ['steam', 'copper', 'Assam']
const DESCRIPTIONS = ['We boil water all day long, and like it very much.', 'Steeping and pouring.']
const DAY_MS = 86_400_000

interface Made {
  id: string
  company: string
  companyId: string
  job: ReturnType<typeof checkedJob>
  posted: string
  isOpen: boolean
}

const dayBefore = ({ now }: Ctx, days: number) =>
  new Date(now().getTime() - days * DAY_MS).toISOString().slice(0, 10)

async function makeJobs(ctx: Ctx, chance: Chance, count: number) {
  const companies: { id: string; name: string }[] = []
  for (const name of COMPANIES) {
    const [company] = await ctx.db.query<{ id: string; name: string }>(sql`
      insert into companies (name, name_key)
      values (${name}, ${foldText(name)}) returning id, name`)
    companies.push(company as { id: string; name: string })
  }
  const made: Made[] = []
  for (let n = 0; n < count; n++) {
    const company = chance.pick(companies)
    const remotePolicy = chance.pick(REMOTE_POLICIES)
    const some = <Item>(items: readonly Item[], least: number) =>
      Array.from({ length: least + chance.below(2) }, () => chance.pick(items))
    const job = checkedJob(
      {
        title: chance.pick(TITLES),
        description: `${chance.pick(DESCRIPTIONS)} Come and join us at the stove.`,
        places: some(PLACES, remotePolicy === 'remote' ? 0 : 1),
        remotePolicy,
        hybridDays: remotePolicy === 'hybrid' ? 2 : null,
        remoteRegions: remotePolicy === 'remote' ? some(['DE', 'FR', 'JP'], 0) : [],
        employmentType: chance.pick(EMPLOYMENT_TYPES),
        seniority: null,
        salary: chance.pick(SALARIES),
        tags: some(TAGS, 0),
        apply: { link: 'https://example.com/jobs', email: null },
      },
      false,
    )
    const posted = dayBefore(ctx, chance.pick([0, 0, 1, 1, 2, 5, 7, 8, 20, 40, 59, 100]))
    const state = chance.pick(['open', 'open', 'open', 'filled', 'overdue'] as const)
    const open = {
      posted,
      validThrough: dayBefore(ctx, state === 'overdue' ? 1 : -chance.below(60)),
    }
    const id = await insertJob(ctx, { company, job, idempotencyKey: `made ${n}`, open })
    if (state === 'filled')
      await ctx.db.query(sql`update job_postings set status = 'filled' where id = ${id}`)
    made.push({
      ...{ id, job, posted, isOpen: state === 'open' },
      ...{ company: company.name, companyId: company.id },
    })
  }
  return { made, companies }
}

/** A simple reference for what a list contains. */
function expected(ctx: Ctx, made: Made[], query: JobListQuery): string[] {
  const first = query.within === undefined ? '' : dayBefore(ctx, query.within)
  const fits = ({ job, company, companyId, posted, isOpen }: Made) =>
    isOpen &&
    (query.company === undefined || companyId === query.company) &&
    (query.remote === undefined || job.remotePolicy === query.remote) &&
    (query.type === undefined || job.employmentType === query.type) &&
    posted >= first &&
    (query.salary === undefined ||
      (job.salary.currency === (query.currency ?? 'USD') &&
        yearly(job.salary as Salary).maximum >= query.salary)) &&
    (query.place === undefined || isIn(job, query.place)) &&
    (query.search === undefined ||
      query.search
        .toLowerCase()
        .split(' ')
        .every((word) =>
          [job.title, company, ...job.tags, job.description].join(' ').toLowerCase().includes(word),
        ))
  const rank = ({ job, posted }: Made) =>
    query.sort === 'newest' ? Date.parse(posted) : dollarsAYear(job.salary as Salary)
  return made
    .filter(fits)
    .sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

function isIn(job: Made['job'], place: string) {
  const [city = '', country] = foldText(place).split(', ')
  const names = (code: string) => [code.toLowerCase(), foldText(countryName(code) ?? '')]
  if (country)
    return job.places.some(
      (it) => foldText(it.city) === city && names(it.country).includes(country),
    )
  return (
    job.places.some((it) => foldText(it.city) === city || names(it.country).includes(city)) ||
    job.remoteRegions.some((code) => names(code).includes(city))
  )
}

async function allPages(ctx: Ctx, query: JobListQuery) {
  const rows: JobRow[] = []
  let after: string | undefined
  for (;;) {
    const page = await listJobs(ctx, { ...query, after })
    expect(page.jobs.length).toBeLessThanOrEqual(query.limit)
    rows.push(...page.jobs)
    if (page.next === null) return rows
    expect(page.jobs).toHaveLength(query.limit)
    after = page.next
  }
}

test(
  'each filter and order gives what a simple scan of all jobs gives, without gaps or repeats',
  () =>
    as('vera', async (ctx) => {
      const chance = createChance(7)
      const { made, companies } = await makeJobs(ctx, chance, 260)
      const maybe = <Item>(items: readonly Item[]) =>
        chance.below(3) === 0 ? chance.pick(items) : undefined
      const queries: JobListQuery[] = JOB_SORTS.map((sort) => ({ sort, limit: 20 }))
      for (let n = 0; n < 120; n++)
        queries.push({
          search: maybe([
            'engineer',
            'kettle',
            'steam',
            'globex',
            'pouring',
            'kettle engineer',
            'stove',
          ]),
          company: chance.below(6) === 0 ? chance.pick(companies).id : undefined,
          place: maybe([
            'Berlin',
            'munchen',
            'Germany',
            'FR',
            'Paris, France',
            'Paris',
            'Japan',
            'Atlantis',
          ]),
          remote: maybe(REMOTE_POLICIES),
          type: maybe(EMPLOYMENT_TYPES),
          ...(chance.below(3) === 0 && {
            salary: chance.pick([1, 50_000, 60_006, 60_007, 100_000, 120_000, 120_001]),
            currency: chance.pick([undefined, 'USD', 'EUR', 'CHF']),
          }),
          within: maybe(POSTED_WITHIN),
          sort: chance.pick(JOB_SORTS),
          limit: chance.pick([1, 3, 20, 50]),
        })
      let found = 0
      for (const query of queries) {
        const rows = await allPages(ctx, query)
        expect(
          rows.map(({ id }) => id),
          JSON.stringify(query),
        ).toEqual(expected(ctx, made, query))
        expect(rows.every(({ status }) => status === 'open')).toBe(true)
        found += rows.length
      }
      expect(found).toBeGreaterThan(500)
    }),
  120_000,
)

describe('rare jobs among many', () => {
  /** More than a walk passes: what is wanted stands behind them. */
  const MANY = 4_500

  async function manyJobs(ctx: Ctx) {
    const { made } = await makeJobs(ctx, createChance(3), 1)
    const [{ companyId } = { companyId: '' }] = made
    await ctx.db.query(sql`
      insert into job_postings
        (company_id, company_name, title, description, html, excerpt, place_keys, remote_policy,
         employment_type, salary_minimum, salary_maximum, salary_currency, salary_period,
         yearly_minimum, yearly_maximum, salary_worth, apply_link, status, posted_date,
         valid_through, idempotency_key)
      select ${companyId}, 'Acme Teapots', 'Job number ' || n, 'About tea', '', '',
             case when n % 1500 = 0 then array['p:ulm', 'k:DE', 'b:ulm:DE'] else '{}'::text[] end,
             'remote', 'full-time', 1, 200000 - n, 'USD', 'year', 1, 200000 - n, 200000 - n,
             'https://example.com', 'open', ${dayBefore(ctx, 0)}::date - n / 200, '2099-01-01', 'many ' || n
        from generate_series(1, ${MANY}::integer) n`)
  }
  const titles = async (ctx: Ctx, query: Partial<JobListQuery>) =>
    (await allPages(ctx, { sort: 'newest', limit: 2, ...query })).map(({ title }) => title)

  test(
    'rare jobs are found in either order, by words and by pay, however far down',
    () =>
      as('vera', async (ctx) => {
        await manyJobs(ctx)
        const ulm = ['Job number 1500', 'Job number 3000', 'Job number 4500']
        for (const sort of JOB_SORTS) {
          expect(await titles(ctx, { sort, place: 'Ulm' })).toEqual(ulm)
          expect(await titles(ctx, { sort, place: 'Ulm', search: 'tea' })).toEqual(ulm)
          expect(await titles(ctx, { sort, search: '4321' })).toEqual(['Job number 4321'])
          expect(await titles(ctx, { sort, search: '4321', remote: 'on-site' })).toEqual([])
          expect(await titles(ctx, { sort, search: '"number 17" or "number 4400"' })).toEqual([
            'Job number 17',
            'Job number 4400',
          ])
        }
        expect(await titles(ctx, { salary: 199_998 })).toEqual(
          expect.arrayContaining(['Job number 1', 'Job number 2']),
        )
        expect(await titles(ctx, { salary: 199_998, search: 'number' })).toHaveLength(2)
        expect(await titles(ctx, { search: '4400', within: 14 })).toEqual([])
        expect(await titles(ctx, { sort: 'salary', search: '4400', within: 30 })).toEqual([
          'Job number 4400',
        ])
      }),
    60_000,
  )

  slow.test(
    'a page continues behind thousands of jobs that expired today',
    () =>
      as('vera', async (ctx) => {
        await manyJobs(ctx)
        await ctx.db.query(sql`
        update job_postings set valid_through = ${dayBefore(ctx, 1)}::date
         where salary_worth > 200000 - 4400 and company_name = 'Acme Teapots' and title like 'Job %'`)
        expect(await titles(ctx, { search: 'number', limit: 50 })).toHaveLength(101)
        expect(
          (await titles(ctx, { limit: 50, currency: 'USD', salary: 1 })).length,
        ).toBeGreaterThan(100)
        expect((await titles(ctx, { limit: 50 })).length).toBeGreaterThan(100)
      }),
    60_000,
  )
})

describe('of thousands that match', () => {
  /** Words go with pay; salaries are round; some were renewed, and some expired today. */
  const manyKinds = (ctx: Ctx, companyId: string, count: number) =>
    ctx.db.query(sql`
      insert into job_postings
        (company_id, company_name, title, description, html, excerpt, place_keys, remote_policy,
         employment_type, salary_minimum, salary_maximum, salary_currency, salary_period,
         yearly_minimum, yearly_maximum, salary_worth, apply_link, status, posted_date,
         valid_through, idempotency_key)
      select ${companyId}, 'Acme Teapots',
             case when pay < 50000 then 'Barista' when pay > 110000 then 'Chief' else 'Clerk' end
               || ' of tea' || case when n % 3 = 0 then ' and steam' else '' end,
             '', '', '', case when n % 4 = 0 then array['p:ulm', 'k:DE', 'b:ulm:DE'] else array['k:DE'] end,
             (array['remote', 'hybrid', 'on-site'])[1 + n % 7 % 3],
             (array['full-time', 'contract'])[1 + n % 5 / 4], 1, pay,
             case when n % 11 < 4 then 'EUR' else 'USD' end, 'year', 1, pay,
             case when n % 11 < 4 then round(pay / 0.92) else pay end, 'https://example.com', 'open',
             ${dayBefore(ctx, 0)}::date - day,
             ${dayBefore(ctx, 0)}::date + case when n % 13 = 0 then -1 else n % 30 end, 'kind ' || n
        from (select n, n * 7919 % 3001 % 70 + case when n % 50 = 0 then 60 else 0 end as day,
                     case when n % 5 = 0 then 100000
                          else 15000 + (n * 104729 % 4001)::bigint ^ 2 / 40 end::bigint as pay
                from generate_series(1, ${count}::integer) n) job`)

  /** By a look at each job. */
  const plainly = (ctx: Ctx, query: JobListQuery) => {
    const first = query.within === undefined ? '0001-01-01' : dayBefore(ctx, query.within)
    const order = query.sort === 'newest' ? sql`posted_date` : sql`salary_worth`
    return ctx.db.query<{ id: string }>(sql`
      select id from job_postings
       where status = 'open' and valid_through >= ${dayBefore(ctx, 0)}::date
         and posted_date >= ${first}::date and title ~* ${`\\m${query.search ?? ''}`}
         and (${query.place ?? ''} = '' or 'p:' || lower(${query.place ?? ''}) = any (place_keys))
         and (${query.remote ?? ''} = '' or remote_policy = ${query.remote ?? ''})
         and (${query.type ?? ''} = '' or employment_type = ${query.type ?? ''})
         and (${query.salary ?? 0} = 0 or salary_currency = ${query.currency ?? 'USD'}
                                     and yearly_maximum >= ${query.salary ?? 0})
       order by ${order} desc, id desc`)
  }

  slow.test(
    'the pages of thousands match a simple scan of each job, by each filter and in both orders',
    () =>
      as('vera', async (ctx) => {
        const { companies } = await makeJobs(ctx, createChance(3), 0)
        await manyKinds(ctx, companies[0]?.id ?? '', 2_400)
        // What the planner expects decides where pages are looked for, and never what they hold.
        await ctx.db.query(sql`analyze job_postings`)
        const filters: Partial<JobListQuery>[] = [
          { search: 'tea' },
          { search: 'tea', salary: 60_000, within: 30, place: 'Ulm' },
          { search: 'tea', salary: 30_001, currency: 'EUR' },
          { search: 'steam' },
          { search: 'steam', remote: 'remote' },
          { search: 'barista', within: 30 },
          { search: 'chief', remote: 'on-site', type: 'full-time', salary: 1 },
          { within: 1 },
          { salary: 100_000 },
          { salary: 200_000, remote: 'remote' },
          { place: 'Ulm', type: 'contract', within: 3 },
        ]
        for (const filter of filters)
          for (const sort of JOB_SORTS) {
            const query: JobListQuery = { sort, limit: 140, ...filter }
            const rows = await allPages(ctx, query)
            expect(
              rows.map(({ id }) => id),
              JSON.stringify(query),
            ).toEqual((await plainly(ctx, query)).map(({ id }) => id))
            expect(rows.length, JSON.stringify(query)).toBeGreaterThan(5)
          }
      }),
    120_000,
  )

  test('the database and a search have the same salary bands', () =>
    as('vera', async (ctx) => {
      const [job] = await ctx.db.query<{ facets: string[] }>(sql`
        select job_facets(gen_random_uuid(), '2026-01-01', 'remote', 'contract', '{}', 'USD',
                          2000000) as facets`)
      expect(job?.facets.filter((facet) => facet.startsWith('c:USD:'))).toEqual(
        RUNGS.map((rung) => `c:USD:${rung}`),
      )
    }))

  test('each salary band has its index', () =>
    as('vera', async (ctx) => {
      const indexes = await ctx.db.query<{ create: string }>(sql`
        select pg_get_indexdef(indexrelid) as create from pg_index
         where indexrelid::regclass::text like 'jobs_by_words_from_%'`)
      const borders = indexes.map(({ create }) =>
        (create.match(/(?<=salary_worth \S+ )\d+/g) ?? []).map(Number),
      )
      expect(borders.sort(([a = 0], [b = 0]) => b - a)).toEqual(
        BANDS.map((band, n) => (n === 0 ? [band] : [band, BANDS[n - 1]])),
      )
    }))
})

describe('a list refuses, or finds nothing, with a sentence and never an error', () => {
  const list = (ctx: Ctx, query: Partial<JobListQuery>) =>
    listJobs(ctx, { sort: 'newest', limit: 20, ...query })

  test('a page marker of another order, or of none, is refused', () =>
    as('vera', async (ctx) => {
      await makeJobs(ctx, createChance(5), 30)
      const { next } = await list(ctx, { limit: 2 })
      for (const after of [String(next), 'x', ''])
        await expect(list(ctx, { sort: 'salary', after })).rejects.toMatchObject({ status: 400 })
      const far = (value: string) =>
        Buffer.from(JSON.stringify(['jobs newest', value, crypto.randomUUID()])).toString(
          'base64url',
        )
      expect((await list(ctx, { after: far('2147483647') })).jobs).toHaveLength(20)
      for (const value of ['2147483648', '-1', '9999999999', '1e9'])
        await expect(list(ctx, { after: far(value) })).rejects.toMatchObject({ status: 400 })
    }))

  test('an unknown currency is refused, and a text without words gets an answer', () =>
    as('vera', async (ctx) => {
      await makeJobs(ctx, createChance(5), 5)
      await expect(list(ctx, { salary: 1, currency: 'XYZ' })).rejects.toMatchObject({
        status: 400,
        message: 'We don’t know this currency. Use a code such as EUR or USD.',
      })
      for (const search of ['the', '---', '"', '\0', '-'.repeat(200), "' or 1=1"])
        await expect(list(ctx, { search })).resolves.toBeDefined()
      expect((await list(ctx, { search: '  ', place: ' ' })).jobs).not.toEqual([])
      expect((await list(ctx, { place: '\0%_' })).jobs).toEqual([])
      expect((await list(ctx, { company: crypto.randomUUID() })).jobs).toEqual([])
    }))

  test('symbols and small words are only searched in titles', () =>
    as('vera', async (ctx) => {
      const { made } = await makeJobs(ctx, createChance(5), 20)
      const [one, other] = made.filter(({ isOpen }) => isOpen) as [Made, Made]
      const isNow = (title: string, { id }: Made) =>
        ctx.db.query(sql`update job_postings set title = ${title} where id = ${id}`)
      const found = async (search: string) =>
        (await list(ctx, { search })).jobs.map(({ title }) => title)
      await isNow('C++ and Node.js for the Café', one)
      await isNow('IT at night', other)
      for (const search of ['c++', 'node', 'nodejs', 'node.js', 'cafe'])
        expect(await found(search), search).toEqual(['C++ and Node.js for the Café'])
      // "and like it very much", says every second description.
      expect(await found('IT')).toEqual(['IT at night'])
      expect(await found('the')).toEqual(['C++ and Node.js for the Café'])
      expect(await found('who')).toEqual([])
    }))
})
