/** A PostgreSQL database with the demo world in it, for a file of journeys. */
import { inject } from 'vitest'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { openCopy } from './database.ts'

export interface World {
  db: OpenDatabase
  /** What a site needs to be told, to be that world's. */
  env: Record<string, string>
}

export async function openWorld(): Promise<World> {
  const db = await openCopy(inject('worldTemplate'))
  return { db, env: { ...inject('worldEnv'), DATABASE_URL: db.url } }
}
