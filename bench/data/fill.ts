/** Makes the tables and fills them, a noun after the other. */
import pg from 'pg'
import { migrate } from '../../app/platform/database/migrate.server.ts'
import { openPostgres } from '../../app/platform/database/postgres.server.ts'
import { companyKeyRows, companyRows, companyStatsRows } from './companies.ts'
import { bulkLoad } from './copy.ts'
import { commentRows, threadRows } from './threads.ts'

/** Why the data was not made, in a sentence for the person at the keyboard. */
export class DataRefused extends Error {}

/**
 * Fills an empty PostgreSQL. The same seed and numbers give the same rows, ids included. Threads come
 * with five times as many comments, but without names and votes of their own.
 * @throws DataRefused when there are companies already
 */
export async function fill(settings: {
  url: string
  companies: number
  threads?: number
  /** Since the first thread; three years unless told otherwise. */
  days?: number
  seed: number
}) {
  const { url, companies, threads = 0, days, seed } = settings
  const database = await openPostgres({ url, connections: 2 })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }

  const client = new pg.Client({ connectionString: url, application_name: 'kettle-bench-data' })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from companies limit 1')
    if (rowCount)
      throw new DataRefused('This database has companies already; bench data needs an empty one.')
    await bulkLoad(
      client,
      [
        companyRows(seed, companies),
        companyStatsRows(seed, companies),
        companyKeyRows(seed, companies),
      ],
      async (client) => {
        await client.query(
          'insert into categories (name, companies) select category, count(*) from companies group by 1',
        )
      },
    )
    await client.query('vacuum (analyze) categories')
    if (threads > 0)
      await bulkLoad(client, [
        threadRows(seed, { threads, days, companies }),
        commentRows(seed, { threads, days }),
      ])
  } finally {
    await client.end()
  }
}
