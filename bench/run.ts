/** npm run bench and npm run bench:data. Reports a missed budget, but only exits with an error after a crash. */
import { parseArgs } from 'node:util'
import { type Cluster, startPostgres } from '../tests/support/postgres-cluster.ts'
import { credentials, intent, lighthouseScores } from './browser.ts'
import { amountsOf, DataRefused, fill, PARTS, type Part } from './data/fill.ts'
import { type Figure, printTable } from './measure.ts'
import { auth, ownThings, ratings, writes } from './members.ts'
import { memory, overload } from './overload.ts'
import { bigThread, pages, personal, uncached } from './pages.ts'
import { administration, contact, discussions, jobs, suggest } from './searches.ts'
import { importing, markdown, night, start } from './work.ts'
import { Bench, type Entry, SMALL } from './world.ts'

const ENTRIES: Entry[] = [
  ...[suggest, pages, uncached, markdown, auth, intent, memory, start, discussions, bigThread],
  ...[overload, writes, ownThings, personal, night, ratings, credentials, contact],
  ...[administration, importing, jobs, lighthouseScores],
]

const USAGE = `npm run bench [-- --short] [-- --only NAME] [--size 1] [--seed 1]
  measures figures beside their reference and their budget; --short some of them on a small site, in five minutes.
  Size 1 is a million companies and ten million comments: making them takes an hour, once in a database that stays.
  With DATABASE_URL it makes its databases on that PostgreSQL, named kettle_bench_*; else on one of its own.

npm run bench:data [-- --size 0.1] [--only ${PARTS.join(',')}] [--seed 1]
  fills the PostgreSQL of DATABASE_URL, which must be empty, with what the bench is measured on.

What --only measures:
${ENTRIES.map(({ name, says }) => `  ${name.padEnd(16)}${says}`).join('\n')}`

/** A small server's. Without replicas, loading into an empty table needs no log. What's measured is on the disk. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
}

const { values } = parseArgs({
  options: {
    data: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    size: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
const only = values.only?.split(',')
const size = Number(values.size ?? (values.data ? 0.1 : values.short ? SMALL : 1))
const seed = Number(values.seed)
const known: readonly string[] = values.data ? PARTS : ENTRIES.map(({ name }) => name)
const isUnderstood =
  size > 0 && Number.isInteger(seed) && (only ?? []).every((name) => known.includes(name))
if (values.help || !isUnderstood) {
  console.error(USAGE)
  process.exit(values.help ? 0 : 1)
}
await (values.data ? makeData() : measureAll())

async function makeData() {
  try {
    const url = process.env.DATABASE_URL
    if (!url)
      throw new DataRefused(
        'Which PostgreSQL? Set DATABASE_URL. ' +
          'It must be one whose data you can do without: bench data is not for a site in use.',
      )
    const all = amountsOf(size)
    const parts = (only as Part[] | undefined) ?? ['companies']
    const wanted = Object.fromEntries(parts.map((part) => [part, all[part]]))
    await fill({ url, seed, amounts: { companies: all.companies, days: all.days, ...wanted } })
  } catch (error) {
    if (!(error instanceof DataRefused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

async function measureAll() {
  let cluster: Promise<Cluster> | undefined
  const server = async () => {
    if (process.env.DATABASE_URL) return process.env.DATABASE_URL
    cluster ??= startPostgres({ settings: SETTINGS })
    return (await cluster).url
  }
  const chosen = ENTRIES.filter(({ name, isShort }) =>
    only ? only.includes(name) : isShort || !values.short,
  )
  const figures: Figure[] = []
  try {
    for (const { name, run } of chosen) {
      console.error(`Measuring ${name} …`)
      const bench = new Bench(size, seed, server)
      try {
        figures.push(...(await run(bench)))
      } catch (error) {
        console.error(`${name} crashed:`, error)
        process.exitCode = 1
      } finally {
        await bench.close()
      }
    }
  } finally {
    await (await cluster)?.stop()
  }
  printTable(figures)
}
