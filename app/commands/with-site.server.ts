/** Setup and cleanup for commands that write as the site does. */
import { eventsOf } from '#app/main.features.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { openDatabase } from '#app/platform/database/open-database.server.ts'
import { checkSecrets, readSecrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { type Config, featureConfig, readConfig } from '#app/platform/operations/config.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'

type SiteContext = Pick<ServerContext, 'secrets' | 'now' | 'queue' | 'events'> & {
  db: OpenDatabase
}

/** Gives `work` the site's migrated database, and closes it afterwards. */
export async function withSite<T>(work: (ctx: SiteContext, config: Config) => Promise<T>) {
  const config = readConfig(process.env)
  const secrets = await readSecrets(config)
  const db = await openDatabase(config)
  try {
    await migrate(db)
    await checkSecrets(db, secrets)
    return await work(
      {
        db,
        secrets,
        now: () => new Date(),
        queue: createQueue(db),
        events: eventsOf({ config: featureConfig(config) }),
      },
      config,
    )
  } finally {
    await db.close()
  }
}
