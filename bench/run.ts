/**
 * npm run bench [-- --only suggest] [--companies 1000000] [--seed 1]: measures each figure beside
 * its reference and its budget. A missed budget is told, not an error; only a crash is.
 * With DATABASE_URL it uses that PostgreSQL, and fills it if it is empty; else one of its own.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Cluster, startPostgres } from '../tests/support/postgres-cluster.ts'
import { auth } from './auth.ts'
import { fill } from './data/fill.ts'
import { firstLoad } from './first-load.ts'
import type { Bench, Figure, Place } from './measure.ts'
import { memory } from './memory.ts'
import { pages } from './pages.ts'
import { render } from './render.ts'
import { start } from './start.ts'
import { suggest } from './suggest.ts'

const BENCHES: Bench[] = [suggest, pages, render, auth, firstLoad, memory, start]

/** A small server's; the tests' settings are for forgetting quickly. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB' }

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    companies: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
})

const chosen = BENCHES.filter(({ name }) => !values.only || name === values.only)
if (chosen.length === 0) {
  console.error(`--only is one of ${BENCHES.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

let cluster: Cluster | undefined
let filled: Promise<string> | undefined
const place: Place = {
  companies: Number(values.companies),
  seed: Number(values.seed),
  databaseUrl() {
    filled ??= findDatabase()
    return filled
  },
}

async function findDatabase() {
  const { companies, seed } = place
  const given = process.env.DATABASE_URL
  if (given && (await hasCompanies(given))) return given
  if (!given) cluster = await startPostgres({ settings: SETTINGS })
  const url = given ?? (cluster as Cluster).url
  console.error(`Filling PostgreSQL with ${companies} companies, which takes minutes for a million`)
  await fill({ url, companies, seed })
  return url
}

async function hasCompanies(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('companies') is not null as there`,
    )
    if (!rows[0]?.there) return false
    return ((await client.query('select from companies limit 1')).rowCount ?? 0) > 0
  } finally {
    await client.end()
  }
}

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
  await cluster?.stop()
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

function budgetOf({ budget: { least, most, leastRatio } = {} }: Figure) {
  if (leastRatio !== undefined) return `ratio ≥ ${leastRatio}`
  if (least !== undefined && least === most) return `= ${least}`
  if (least !== undefined) return `≥ ${least}`
  return most === undefined ? '' : `≤ ${most}`
}

function verdictOn(figure: Figure) {
  const { measured, budget } = figure
  if (!budget) return ''
  const { least = -Infinity, most = Infinity, leastRatio = -Infinity } = budget
  const kept = measured >= least && measured <= most && (ratioOf(figure) ?? Infinity) >= leastRatio
  return kept ? 'ok' : 'MISSED'
}
