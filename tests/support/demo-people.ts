/** A PostgreSQL on which a built site finds the demo people: administrators among them. */
import { DEMO_OWNER, settleDemoPeople } from '../../app/features/accounts/demo-people.server.ts'
import type { OpenDatabase } from '../../app/server/database.server.ts'
import { createJobs } from '../../app/server/jobs.server.ts'
import { migrate } from '../../app/server/migrate.server.ts'
import { openPostgres } from '../../app/server/postgres.server.ts'
import { createSecrets } from '../../app/server/secrets.server.ts'
import { startPostgres } from './postgres-cluster.ts'

const SECRET_KEY = 'a secret key that only the tests know'

export interface PeopledDatabase {
  db: OpenDatabase
  /** What a site needs to be told, to be theirs. */
  env: Record<string, string>
  stop(): Promise<void>
}

export async function startWithDemoPeople(): Promise<PeopledDatabase> {
  const cluster = await startPostgres()
  const db = await openPostgres({ url: cluster.url, connections: 2 })
  await migrate(db)
  const secrets = createSecrets(SECRET_KEY)
  await settleDemoPeople({ db, now: () => new Date(), secrets, jobs: createJobs(db) })
  return {
    db,
    env: { DATABASE_URL: cluster.url, SECRET_KEY, STARTER: 'demo', OWNER_EMAIL: DEMO_OWNER },
    async stop() {
      await db.close()
      await cluster.stop()
    },
  }
}
