/** What commands that write as the site does begin and end with. */
import { upgrade } from '../main.upgrade.server.ts'
import { type Config, readConfig } from '../server/config.server.ts'
import type { ServerContext } from '../server/context.server.ts'
import type { OpenDatabase } from '../server/database.server.ts'
import { createJobs } from '../server/jobs.server.ts'
import { openDatabase } from '../server/open-database.server.ts'
import { readSecrets } from '../server/secrets.server.ts'

type SiteContext = Pick<ServerContext, 'secrets' | 'now' | 'jobs'> & { db: OpenDatabase }

/** Gives `work` the site's database, migrated, and closes it after. */
export async function withSite<T>(work: (ctx: SiteContext, config: Config) => Promise<T>) {
  const config = readConfig(process.env)
  const secrets = await readSecrets(config)
  const db = await openDatabase(config)
  try {
    await upgrade(db, secrets)
    return await work({ db, secrets, now: () => new Date(), jobs: createJobs(db) }, config)
  } finally {
    await db.close()
  }
}
