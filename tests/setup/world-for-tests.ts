import type { TestProject } from 'vitest/node'
import { DEMO_OWNER, seedDemoPeople } from '#app/identity/accounts/demo-people.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { databaseAt } from '../support/postgres-cluster.ts'
import { startSite } from '../support/server.ts'
import { ask, clusterForRun } from './postgres-for-tests.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The demo world's database, which each journey copies. Only in the project `journeys`. */
    worldTemplate: string
    /** The settings with which a site opens that world. */
    worldEnv: Record<string, string>
  }
}

const SECRET_KEY = 'a secret key that only the tests know'
const env = { SECRET_KEY, STARTER: 'demo', OWNER_EMAIL: DEMO_OWNER }

/** The demo world with its people, including administrators. A site needs a few seconds to set it up. */
export default async function worldForTests(project: TestProject) {
  const { url, stop } = await clusterForRun()
  const template = `kettle_world_${process.pid}`
  await ask(url, `create database ${template} template template0 encoding 'UTF8'`)
  const address = databaseAt(url, template)
  await settlePeople(address)
  const site = await startSite({ env: { ...env, DATABASE_URL: address } })
  await site.stop()
  project.provide('postgresUrl', url)
  project.provide('worldTemplate', template)
  project.provide('worldEnv', env)
  return async () => {
    await ask(url, `drop database ${template}`)
    await stop()
  }
}

async function settlePeople(url: string) {
  const db = await openPostgres({ url, connections: 2 })
  try {
    await migrate(db)
    const secrets = createSecrets(SECRET_KEY)
    const queue = createQueue(db)
    await seedDemoPeople({ db, now: () => new Date(), secrets, queue, events: [] })
  } finally {
    await db.close()
  }
}
