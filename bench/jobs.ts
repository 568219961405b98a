/** Lists of 1,000,000 open jobs at the database, one caller: every kind of filters, several pages deep. */
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import { EMPLOYMENT_TYPES, JOB_SORTS, POSTED_WITHIN, REMOTE_POLICIES } from '../app/jobs/job.ts'
import { jobById } from '../app/jobs/job-queries.server.ts'
import { listJobs } from '../app/jobs/search/job-search.server.ts'
import type { JobListQuery } from '../app/jobs/search/job-wanted.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { fillJobs, SEARCHED, SEARCHED_PLACES } from './data/jobs.ts'
import { createRandom, type Random } from './data/random.ts'
import { type Bench, type Figure, latencyFigures } from './measure.ts'

const JOBS = Number(process.env.BENCH_JOBS ?? 1_000_000)
const LISTS = 60
const PAGES = 4
const DEEP_PAGES = 100
/** Issue 7: a page of any filters, at the database. */
const P95_MS = 20

export const jobs: Bench = {
  name: 'jobs',
  async run({ databaseUrl, seed }) {
    const db = await openPostgres({ url: await databaseUrl(), connections: 2 })
    const ctx: Ctx = {
      db,
      now: () => new Date(),
      actor: visitor,
      network: '127.0.0.1',
      secrets: createSecrets('of no importance here'),
      jobs: createJobs(db),
    }
    try {
      await fillJobs(db, JOBS, seed)
      const figures: Figure[] = []
      for (const [name, filtersOf] of Object.entries(KINDS)) {
        const random = createRandom(seed, `jobs ${name}`)
        const lists = Array.from(
          { length: LISTS },
          (): JobListQuery => ({
            sort: random.pick(JOB_SORTS),
            limit: 20,
            ...filtersOf(random),
          }),
        )
        // Statements get their names, and the cache its pages.
        for (const list of lists.slice(0, 10)) await listJobs(ctx, list)
        const times: number[] = []
        for (const list of lists) times.push(...(await timesOfPages(ctx, list, PAGES)))
        figures.push(...latencyFigures(`jobs, ${name}`, times, { p95: P95_MS }))
      }
      const deep: number[] = []
      for (const sort of JOB_SORTS)
        deep.push(...(await timesOfPages(ctx, { sort, limit: 20, place: 'Germany' }, DEEP_PAGES)))
      figures.push(...latencyFigures('jobs, pages far down', deep, { p95: P95_MS }))
      const { jobs: some } = await listJobs(ctx, { sort: 'salary', limit: 50 })
      const opened: number[] = []
      for (const { id } of some) {
        const began = performance.now()
        await jobById(ctx, id, 'https://kettle.example')
        opened.push(performance.now() - began)
      }
      return [...figures, ...latencyFigures('a job’s page', opened, { p95: P95_MS })]
    } finally {
      await db.close()
    }
  },
}

async function timesOfPages(ctx: Ctx, query: JobListQuery, most: number) {
  const times: number[] = []
  let after: string | undefined
  for (let page = 0; page < most; page++) {
    const began = performance.now()
    const { next } = await listJobs(ctx, { ...query, after })
    const took = performance.now() - began
    times.push(took)
    if (process.env.BENCH_SLOW && took > Number(process.env.BENCH_SLOW))
      console.error(took.toFixed(0), page, JSON.stringify(query))
    if (next === null) break
    after = next
  }
  return times
}

type Filters = Partial<JobListQuery>

const search = (random: Random): Filters => ({ search: random.pick(SEARCHED) })
const place = (random: Random): Filters => ({ place: random.pick(SEARCHED_PLACES) })
const remote = (random: Random): Filters => ({ remote: random.pick(REMOTE_POLICIES) })
const type = (random: Random): Filters => ({ type: random.pick(EMPLOYMENT_TYPES) })
const within = (random: Random): Filters => ({ within: random.pick(POSTED_WITHIN) })
const pay = (random: Random): Filters =>
  random.pick([
    { salary: 50_000, currency: 'USD' },
    { salary: 150_000, currency: 'USD' },
    { salary: 300_000, currency: 'USD' },
    { salary: 450_000, currency: 'USD' },
    { salary: 90_000, currency: 'EUR' },
    { salary: 250_000, currency: 'CHF' },
    { salary: 1_000_000, currency: 'INR' },
    { salary: 20_000, currency: 'GBP' },
  ])
const all = [search, place, remote, type, within, pay]

const KINDS: Record<string, (random: Random) => Filters> = {
  'no filters': () => ({}),
  'a remote policy and a type': (random) => ({ ...remote(random), ...type(random) }),
  'a place': place,
  'a salary': pay,
  'posted within': within,
  words: search,
  'words and a place': (random) => ({ ...search(random), ...place(random) }),
  'words, remote and type': (random) => ({ ...search(random), ...remote(random), ...type(random) }),
  'words and a salary': (random) => ({ ...search(random), ...pay(random) }),
  'a place, remote and type': (random) => ({
    ...place(random),
    ...remote(random),
    ...type(random),
  }),
  'a place and a salary': (random) => ({ ...place(random), ...pay(random) }),
  'a salary, remote and type': (random) => ({ ...pay(random), ...remote(random), ...type(random) }),
  'any of all filters': (random) =>
    Object.assign(
      {},
      ...all.map((filter) => (random.chance(0.5) ? filter(random) : {})),
    ) as Filters,
}
