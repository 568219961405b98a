import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../app/server/migrate.server.ts'
import { openPglite } from '../../app/server/pglite.server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file of a migrated database, with which each test file's begins; only in the project `pglite`. */
    pgliteDump: string
  }
}

/** To begin with nothing would take each test file some seconds longer. */
export default async function pgliteForTests(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-test-'))
  const path = join(folder, 'migrated.tar')
  const database = await openPglite({ dataDir: 'memory://' })
  try {
    await migrate(database)
    await database.dump(path)
  } finally {
    await database.close()
  }
  project.provide('pgliteDump', path)
  return () => rm(folder, { recursive: true, force: true })
}
