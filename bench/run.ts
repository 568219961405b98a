/**
 * npm run bench [-- --short] [-- --only suggest] [--companies 1000000] [--threads 2000000]
 * [--ratings 3000000] [--accounts 500000] [--seed 1]: measures
 * each figure beside its reference and its budget; with --short, in some five minutes, what pages, members and writes
 * cost on a small site. A missed budget is told, not an error; only a
 * crash is. With DATABASE_URL it uses that PostgreSQL, and fills it if it is empty; else one of its
 * own. Discussions have databases of their own there, which stay: filling one takes a while.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Cluster, databaseAt, startPostgres } from '../tests/support/postgres-cluster.ts'
import { administration } from './administration.ts'
import { auth } from './auth.ts'
import { bigThread } from './big-thread.ts'
import { contact } from './contact.ts'
import { credentials } from './credentials.ts'
import { fill } from './data/fill.ts'
import { discussions } from './discussions.ts'
import { firstLoad } from './first-load.ts'
import { importing } from './importing.ts'
import { intent } from './intent.ts'
import { jobs } from './jobs.ts'
import { lighthouseScores } from './lighthouse.ts'
import { markdown } from './markdown.ts'
import type { Bench, BenchSite, Figure } from './measure.ts'
import { memory } from './memory.ts'
import { overload } from './overload.ts'
import { ownThings } from './own-things.ts'
import { pages } from './pages.ts'
import { personal } from './personal.ts'
import { ratings } from './ratings.ts'
import { render } from './render.ts'
import { start } from './start.ts'
import { suggest } from './suggest.ts'
import { uncached } from './uncached.ts'
import { writes } from './writes.ts'

const BENCHES: Bench[] = [
  suggest,
  pages,
  uncached,
  render,
  markdown,
  auth,
  firstLoad,
  intent,
  memory,
  start,
  discussions,
  bigThread,
  overload,
  writes,
  ownThings,
  personal,
  ratings,
  credentials,
  contact,
  administration,
  importing,
  jobs,
  lighthouseScores,
]

/**
 * A small server's; the tests' settings are for forgetting quickly. Without replicas, what is loaded
 * into an empty table needs no log.
 */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
}
/** A load may forget; what is measured may not. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Enough for companies that are talked about, and soon made. */
const DISCUSSED_COMPANIES = 20_000

const SHORT: Bench[] = [uncached, bigThread, personal, auth, writes, memory]
const SIZES = { companies: 1_000_000, threads: 2_000_000 }
const SHORT_SIZES = { companies: DISCUSSED_COMPANIES, threads: 20_000 }

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    companies: { type: 'string' },
    threads: { type: 'string' },
    ratings: { type: 'string', default: '3000000' },
    accounts: { type: 'string', default: '500000' },
    seed: { type: 'string', default: '1' },
  },
})

const sizes = values.short ? SHORT_SIZES : SIZES
const chosen = (values.short ? SHORT : BENCHES).filter(
  ({ name }) => !values.only || name === values.only,
)
if (chosen.length === 0) {
  console.error(`--only is one of ${BENCHES.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

let cluster: Promise<Cluster> | undefined
let filled: Promise<string> | undefined
const place: BenchSite = {
  companies: Number(values.companies ?? sizes.companies),
  threads: Number(values.threads ?? sizes.threads),
  ratings: Number(values.ratings),
  accounts: Number(values.accounts),
  seed: Number(values.seed),
  async databaseUrl() {
    filled ??= findDatabase()
    const url = await filled
    await read(url)
    return url
  },
  discussionsUrl: findDiscussions,
}

async function serverUrl() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  cluster ??= startPostgres({ settings: SETTINGS })
  return (await cluster).url
}

async function findDatabase() {
  const { companies, seed } = place
  const url = await serverUrl()
  if (!(await hasAny(url, 'companies'))) {
    console.error(
      `Filling PostgreSQL with ${companies} companies, which takes minutes for a million`,
    )
    await fill({ url, companies, seed })
    await remember(url)
  }
  return url
}

async function findDiscussions(threads: number, days?: number) {
  const server = await serverUrl()
  const name = `kettle_bench_${threads}_threads${days ? `_of_${days}_days` : ''}`
  const url = databaseAt(server, name)
  const isThere = await ask(
    server,
    `select exists (select from pg_database where datname = '${name}') as yes`,
  )
  if (!isThere) await ask(server, `create database ${name}`)
  if (!(await hasAny(url, 'threads'))) {
    console.error(`Filling PostgreSQL with ${threads} threads, some twenty minutes for two million`)
    await fill({ url, companies: DISCUSSED_COMPANIES, threads, days, seed: place.seed })
    await remember(server)
  }
  await read(url)
  return url
}

/**
 * Reads all of the database, for each bench anew, into memory, where that of a site that is in use is:
 * virtual machines give memory back that has not been read for some minutes. Twice: what benches before
 * read often leaves PostgreSQL's memory only when others ask for its place again.
 */
async function read(url: string) {
  try {
    await ask(url, 'create extension if not exists pg_prewarm')
    for (let reading = 0; reading < 2; reading++)
      await ask(url, "select sum(pg_prewarm(oid)) from pg_class where relkind in ('r', 'i', 't')")
  } catch (error) {
    console.error('The caches are cold; to read the database needs a superuser:', error)
  }
}

/** From now on each commit is on the disk, in a cluster of our own as in one that is used. */
async function remember(url: string) {
  if (!cluster) return
  for (const setting of DURABLE) await ask(url, `alter system set ${setting} = on`)
  await ask(url, 'select pg_reload_conf()')
  await ask(url, 'checkpoint')
}

/** The column `yes` of the first row. */
async function ask(url: string, statement: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ yes?: boolean }>(statement)).rows[0]?.yes === true
  } finally {
    await client.end()
  }
}

const hasAny = async (url: string, table: string) =>
  (await ask(url, `select to_regclass('${table}') is not null as yes`)) &&
  (await ask(url, `select exists (select from ${table}) as yes`))

const figures: Figure[] = []
try {
  for (const { name, run } of chosen) {
    console.error(`Measuring ${name} …`)
    try {
      figures.push(...(await run(place)))
    } catch (error) {
      console.error(`${name} crashed:`, error)
      process.exitCode = 1
    }
  }
} finally {
  await (await cluster)?.stop()
}
printTable(figures)

function printTable(figures: Figure[]) {
  const rows = figures.map((figure) => [
    figure.name,
    `${number(figure.measured)} ${figure.unit}`.trim(),
    number(figure.reference),
    number(ratioOf(figure)),
    budgetOf(figure),
    verdictOn(figure),
    number(figure.requestsPerSecond),
    number(figure.p50),
    number(figure.p99),
    number(figure.cpuMsPerRequest),
  ])
  const heads = [
    'figure',
    'measured',
    'reference',
    'ratio',
    'budget',
    '',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU-ms',
  ]
  const table = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
}

function number(value: number | undefined) {
  if (value === undefined) return ''
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}

function ratioOf({ measured, reference }: Figure) {
  return reference === undefined ? undefined : measured / reference
}

function budgetOf({ budget: { least, most, leastRatio, mostRatio } = {} }: Figure) {
  if (mostRatio !== undefined) return `ratio ≤ ${mostRatio}`
  if (leastRatio !== undefined) return `ratio ≥ ${leastRatio}`
  if (least !== undefined && least === most) return `= ${least}`
  if (least !== undefined) return `≥ ${least}`
  return most === undefined ? '' : `≤ ${most}`
}

function verdictOn(figure: Figure) {
  const { measured, budget } = figure
  if (!budget) return ''
  const { least = -Infinity, most = Infinity, leastRatio = 0, mostRatio = Infinity } = budget
  const ratio = ratioOf(figure) ?? 1
  const isKept = measured >= least && measured <= most
  return isKept && ratio >= leastRatio && ratio <= mostRatio ? 'ok' : 'MISSED'
}
