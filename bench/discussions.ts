/** Lists, a long thread and searches at the database, one caller, among millions; and posting. */
import sql, { type Sql } from 'sql-template-tag'
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import { commentsPage } from '../app/community/discussions/comments/comment-queries.server.ts'
import type { ThreadsPage } from '../app/community/discussions/discussion.contract.ts'
import { searchThreads } from '../app/community/discussions/search/thread-search.server.ts'
import {
  listThreads,
  type ThreadListQuery,
  threadById,
} from '../app/community/discussions/threads/thread-queries.server.ts'
import type {
  Database,
  OpenDatabase,
  QueryOptions,
} from '../app/platform/database/database.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { companyId } from './data/companies.ts'
import { createRandom } from './data/random.ts'
import { COMMENTS_PER_THREAD, LAST_MINUTE, largeThreads, threadId } from './data/threads.ts'
import { type Bench, type Figure, latencyFigures, median, quantile, timesOf } from './measure.ts'
import { searchesOf } from './thread-searches.ts'

/** A young site: in its lists of a week, too, there is more than a page of the rarest topic. */
const FEW_THREADS = 2_000
const FEW_DAYS = 30
const DEEPEST_PAGE = 500
/** At either end of a list, for "flat". */
const END_PAGES = 50
const PAGES = 300
const LONG_THREAD_READS = 100
const SEARCHES = 600
const ROUNDS = 20

export const discussions: Bench = {
  name: 'discussions',
  async run({ discussionsUrl, threads, seed }) {
    const many = await open(await discussionsUrl(threads))
    const few = await open(await discussionsUrl(FEW_THREADS, FEW_DAYS))
    try {
      return [
        ...(await lists(many.ctx, few.ctx, seed)),
        ...(await longThreads(many.ctx, seed, threads)),
        ...(await searches(many.ctx, seed)),
      ]
    } finally {
      await many.db.close()
      await few.db.close()
    }
  },
}

async function open(url: string): Promise<{ db: OpenDatabase; ctx: Ctx }> {
  const db = await openPostgres({ url, connections: 2 })
  const ctx: Ctx = {
    db,
    now: () => new Date(LAST_MINUTE * 60_000),
    actor: visitor,
    network: '127.0.0.1',
    secrets: createSecrets('of no importance here'),
    jobs: createJobs(db),
  }
  return { db, ctx }
}

const LISTS: Record<string, (seed: number) => Omit<ThreadListQuery, 'after'>> = {
  hot: () => ({ sort: 'hot', period: 'week' }),
  new: () => ({ sort: 'new', period: 'week' }),
  'top of a week': () => ({ sort: 'top', period: 'week' }),
  'top of a year': () => ({ sort: 'top', period: 'year' }),
  'top of all time': () => ({ sort: 'top', period: 'all' }),
  unanswered: () => ({ sort: 'unanswered', period: 'week' }),
  // The most discussed one has pages enough.
  'of a company, hot': (seed) => ({ sort: 'hot', period: 'week', company: companyId(seed, 0) }),
  'of a company, top': (seed) => ({ sort: 'top', period: 'all', company: companyId(seed, 0) }),
  'of a common topic, hot': () => ({ sort: 'hot', period: 'week', topic: 'work-life-balance' }),
  'of a rare topic, hot': () => ({ sort: 'hot', period: 'week', topic: 'starting' }),
  'of a rare topic, top of a week': () => ({ sort: 'top', period: 'week', topic: 'starting' }),
}

async function lists(many: Ctx, few: Ctx, seed: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, queryOf] of Object.entries(LISTS)) {
    const query = queryOf(seed)
    const random = createRandom(seed, `pages ${name}`)
    const markers = await markersOf(many, query)
    const pages = Array.from({ length: PAGES }, () => random.below(markers.length))
    const times = await timesOf(pages, (page) =>
      listThreads(many, { ...query, after: markers[page] }),
    )
    figures.push(
      ...latencyFigures(`list ${name}, any of ${markers.length} pages`, times, { p95: 15 }),
    )

    // In turn, so that a busy moment of the machine falls on all of them.
    const fewMarkers = await markersOf(few, query)
    const first: number[] = []
    const last: number[] = []
    const inFew: number[] = []
    for (let round = 0; round < ROUNDS * 5; round++) {
      const near = random.below(Math.min(END_PAGES, markers.length, fewMarkers.length))
      const far = Math.max(0, markers.length - 1 - random.below(END_PAGES))
      const read = (ctx: Ctx, after: string | undefined) =>
        timesOf([after], (after) => listThreads(ctx, { ...query, after }))
      first.push(...(await read(many, markers[near])))
      last.push(...(await read(many, markers[far])))
      inFew.push(...(await read(few, fewMarkers[near])))
    }
    figures.push(
      {
        name: `list ${name}, last pages beside the first`,
        measured: median(last),
        reference: median(first),
        unit: 'ms',
        budget: { mostRatio: 1.5 },
      },
      {
        name: `list ${name}, beside ${FEW_THREADS * COMMENTS_PER_THREAD} comments`,
        measured: median(first),
        reference: median(inFew),
        unit: 'ms',
        budget: { mostRatio: 1.5 },
      },
    )
  }
  return figures
}

/** What leads to each page, read on from the first. */
async function markersOf(ctx: Ctx, query: Omit<ThreadListQuery, 'after'>) {
  const markers: (string | undefined)[] = [undefined]
  while (markers.length < DEEPEST_PAGE) {
    const { next } = await listThreads(ctx, { ...query, after: markers.at(-1) })
    if (!next) break
    markers.push(next)
  }
  return markers
}

async function longThreads(ctx: Ctx, seed: number, threads: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { index, comments } of largeThreads(threads)) {
    const id = threadId(seed, index)
    const read = async () => {
      await threadById(ctx, id)
      await commentsPage(ctx, id, { sort: 'best' })
    }
    await timesOf([1, 2, 3], read)
    const times = await timesOf(Array.from({ length: LONG_THREAD_READS }).keys(), read)
    const p95 = comments === 2_000 ? 60 : undefined
    figures.push(...latencyFigures(`a thread of ${comments} comments`, times, { p95 }))
  }
  return figures
}

async function searches(ctx: Ctx, seed: number): Promise<Figure[]> {
  const asked = searchesOf(seed + 1, SEARCHES)
  const { db, scans } = watched(ctx.db)
  // Also warms up: a search's first page is read more than once where people search.
  for (const { query } of asked.slice(0, SEARCHES / 4)) await searchThreads({ ...ctx, db }, query)
  const times = new Map<string, number[]>()
  const next: [query: Parameters<typeof searchThreads>[1], page: ThreadsPage][] = []
  for (const { kind, query } of asked) {
    const [time = Number.NaN] = await timesOf([query], async (query) => {
      next.push([query, await searchThreads(ctx, query)])
    })
    times.set(kind, [...(times.get(kind) ?? []), time])
  }
  const further = next.flatMap(([query, { next: after }]) => (after ? [{ ...query, after }] : []))
  const furtherTimes = await timesOf(further, (query) => searchThreads(ctx, query))
  const all = [...times.values()].flat()
  return [
    ...latencyFigures('search, all kinds', all, { p95: 120 }),
    ...[...times].flatMap(([kind, times]) => latencyFigures(`search, ${kind}`, times)),
    ...latencyFigures('search, second pages', furtherTimes, { p95: 120 }),
    {
      name: 'search, slowest',
      measured: quantile([...all, ...furtherTimes], 1),
      unit: 'ms',
    },
    {
      name: 'search, plans that scan threads or comments',
      measured: scans(),
      unit: '',
      budget: { least: 0, most: 0 },
    },
  ]
}

/** A database that looks at the plan of each statement first. */
function watched(db: Database) {
  let found = 0
  const look = (db: Database): Database => ({
    ...db,
    query: async <Row>(statement: Sql, options?: QueryOptions) => {
      if (/from (threads|comments)/.test(statement.sql) && !/^\s*explain/.test(statement.sql)) {
        const plan = await db.query(sql`explain (format json) ${statement}`)
        if (/"Seq Scan"[^{}]*"Relation Name": ?"(threads|comments)"/.test(JSON.stringify(plan)))
          found++
      }
      return db.query<Row>(statement, options)
    },
    transaction: (work) => db.transaction((db) => work(look(db))),
  })
  return { db: look(db), scans: () => found }
}
