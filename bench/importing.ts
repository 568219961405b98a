/**
 * 50,000 companies from a CSV file into 100,000 that are there: reading, every check, matching and
 * writing, each batch on the disk. In a database of its own, which goes afterwards.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { batchesAtOnceOf } from '../app/companies/importing/import-commands.server.ts'
import { importFile, surveyFile } from '../app/companies/importing/import-file-commands.server.ts'
import type { ImportReport } from '../app/companies/importing/import-report.ts'
import { csvText } from '../app/companies/tracking/csv-text.ts'
import { migrate } from '../app/platform/database/migrate.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { databaseAt, startPostgres } from '../tests/support/postgres-cluster.ts'
import { companyRows } from './data/companies.ts'
import { fill } from './data/fill.ts'
import type { Bench, Figure } from './measure.ts'

const THERE = 100_000
const IMPORTED = 50_000
const DATABASE = 'kettle_bench_importing'
/** As many as the site has unless told otherwise. */
const CONNECTIONS = 10
/** As the other benches have it: run.ts. A commit is on the disk. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
}
export const importing: Bench = {
  name: 'importing',
  async run({ seed }) {
    const cluster = process.env.DATABASE_URL
      ? undefined
      : await startPostgres({ settings: SETTINGS })
    const server = process.env.DATABASE_URL ?? cluster?.url ?? ''
    const url = databaseAt(server, DATABASE)
    const admin = await openPostgres({ url: server, connections: 1 })
    const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    try {
      await admin.query(sql`drop database if exists ${raw(DATABASE)}`)
      await admin.query(sql`create database ${raw(DATABASE)}`)
      console.error(`Filling PostgreSQL with ${THERE} companies`)
      await giveWebsites(url)
      await fill({ url, companies: THERE, seed })
      const path = join(folder, 'companies.csv')
      await writeFile(path, companiesFile(seed + 1))
      return await measure(url, path)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await admin.query(sql`drop database if exists ${raw(DATABASE)} with (force)`)
      await admin.close()
      await cluster?.stop()
    }
  },
}

/** What is loaded gets one each, so that matching by website is measured among many, too. */
async function giveWebsites(url: string) {
  const db = await openPostgres({ url, connections: 1 })
  try {
    await migrate(db)
    await db.query(sql`
      alter table companies alter column website
        set default 'https://there-' || gen_random_uuid() || '.example.com'`)
  } finally {
    await db.close()
  }
}

/** No two of one name or website, and none that is there: the dearest file of this length. */
function companiesFile(seed: number) {
  const rows = [...companyRows(seed, IMPORTED).rows()].map((row, i) => {
    const [, name, , , category, description] = row as string[]
    const website = `https://www.company-${i}.example.com/about`
    return [`${name} of ${i}`, category ?? '', website, '', description ?? '']
  })
  return csvText([['name', 'category', 'website', 'logo_url', 'description'], ...rows])
}

async function measure(url: string, path: string): Promise<Figure[]> {
  const db = await openPostgres({ url, connections: CONNECTIONS })
  const ctx = {
    db,
    now: () => new Date(),
    secrets: createSecrets('of no importance here'),
    jobs: createJobs(db),
  }
  try {
    const first = await runOnce('importing', { added: IMPORTED })
    const again = await runOnce('importing what is there', { skipped: IMPORTED }, true)
    return [{ ...first, budget: { least: 3_000 } }, again]
  } finally {
    await db.close()
  }

  async function runOnce(name: string, expected: Partial<ImportReport>, isAgain = false) {
    const began = performance.now()
    const file = { path, format: 'csv' as const, ...(await surveyFile(path, 'csv')) }
    const settings = { isAgain, batchesAtOnce: batchesAtOnceOf(CONNECTIONS) }
    let last: ImportReport | undefined
    for await (const report of importFile(ctx, file, settings)) last = report
    const seconds = (performance.now() - began) / 1000
    for (const [key, count] of Object.entries(expected))
      if (last?.[key as 'added'] !== count) throw new Error(`${name}: ${JSON.stringify(last)}`)
    return { name: `${name}, with all checks`, measured: IMPORTED / seconds, unit: 'rows/s' }
  }
}
