/** npm run bench and npm run bench:data. Reports a missed budget, but only exits with an error after a crash. */
import { type Cluster, startPostgres } from '../tests/support/postgres-cluster.ts'
import { credentials, intent, lighthouseScores } from './browser.ts'
import { amountsOf, DataRefused, fill, PARTS, type Part } from './data/fill.ts'
import { evening } from './evening.ts'
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

/**
 * A small server's settings. Without replicas, loading into an empty table needs no log. The measured data is on
 * the disk.
 */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
}
/** The evening's report lists the dearest statements. */
const COUNTED = { shared_preload_libraries: 'pg_stat_statements' }

interface Options {
  data?: boolean
  short?: boolean
  evening?: boolean
  against?: string
  processes?: string
  only?: string
  size?: string
  seed: number
}
const given: Options = JSON.parse(process.argv[2] ?? '')
const { seed } = given
const only = given.only?.split(',')
const size = Number(given.size ?? (given.data ? 0.1 : given.short ? SMALL : 1))
const known = given.data ? PARTS.map((name) => ({ name, says: '' })) : ENTRIES
const unknown = only?.find((wanted) => !known.some(({ name }) => name === wanted))
if (unknown !== undefined || !(size > 0)) {
  console.error(
    unknown === undefined ? 'The size must be above 0.' : `There’s no “${unknown}” here:`,
  )
  if (unknown !== undefined)
    for (const { name, says } of known) console.error(`  ${name.padEnd(16)}${says}`)
  process.exit(2)
}
await (given.data ? makeData() : measureAll())

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
    cluster ??= startPostgres({ settings: { ...SETTINGS, ...(given.evening && COUNTED) } })
    return (await cluster).url
  }
  const chosen = given.evening
    ? [evening(given)]
    : ENTRIES.filter(({ name, isShort }) => (only ? only.includes(name) : isShort || !given.short))
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
