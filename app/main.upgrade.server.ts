/** Brings what an earlier program left up to this one: its schema, and what only this program can carry over. */
import { carryOver } from '#app/api/auth/carry-over.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { checkSecrets, type Secrets } from '#app/platform/database/secrets.server.ts'
import { features } from './main.features.server.ts'

/** @throws ConfigError for a newer schema, or another key */
export async function upgrade(db: OpenDatabase, secrets: Secrets) {
  await migrate(db)
  await checkSecrets(db, secrets)
  await carryOver(
    db,
    secrets,
    features.flatMap(({ carried = [] }) => carried),
  )
}
