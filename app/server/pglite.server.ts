/** PostgreSQL compiled to WebAssembly, in a worker thread, behind the `Database` interface. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDatabase, onOneConnection } from './database.server.ts'
import { privateFolder } from './durable.server.ts'
import { takeFolderLock } from './folder-lock.server.ts'
import { startThread } from './pglite-thread.server.ts'

/** The engine has no autovacuum and no checkpointer of its own, so the house does their work. */
const MAINTENANCE_INTERVAL_MS = 10 * 60_000

/**
 * So long, in ms, the engine may take: nothing inside of it can be ended, so beyond that the whole of
 * it counts as lost. Generous, for a slow machine.
 */
const PATIENCE_MS = {
  statement: 2 * 60_000,
  maintenance: 60_000,
  /** Opening after a crash, migrations, copies. */
  long: 30 * 60_000,
}

export interface PgliteDatabase extends OpenDatabase {
  /** Writes all data into one file, from which another database can begin. */
  dump(path: string): Promise<void>
}

/**
 * Opens (or creates) the database under `dataDir`, or one in memory for tests.
 * @param settings `from` is the file of a `dump` with which a new database begins; `onLost` is called once
 * if the engine is lost: each call fails from then on, so the process does best to end
 * @throws an Error with a sentence when another process uses the folder.
 */
export async function openPglite(settings: {
  dataDir: string | 'memory://'
  from?: string
  onLost?: (why: Error) => void
  patience?: Partial<typeof PATIENCE_MS>
}): Promise<PgliteDatabase> {
  const inMemory = settings.dataDir === 'memory://'
  if (!inMemory) {
    // The engine leaves its files open to every user of the machine: their folder is the door.
    await privateFolder(settings.dataDir)
    // One that was made before, or by hand. Whose it is not may not: `npm run doctor` tells of it.
    await chmod(settings.dataDir, 0o700).catch(() => {})
  }
  const lock = inMemory ? undefined : await takeFolderLock(settings.dataDir)

  const { from, onLost } = settings
  const patience = { ...PATIENCE_MS, ...settings.patience }
  const dataDir = inMemory ? 'memory://' : join(settings.dataDir, 'pg')
  const thread = await startThread(
    { dataDir, ...(from && { from }) },
    {
      openWithin: patience.long,
      onLost(why) {
        clearInterval(maintenance)
        onLost?.(why)
      },
    },
  ).catch(async (error) => {
    await lock?.release()
    throw error
  })

  const connection = (within: number) => ({
    run: (text: string, values: unknown[]) => thread.ask({ kind: 'query', text, values }, within),
    script: (text: string) => thread.ask({ kind: 'script', text }, within),
  })
  const { database, inLine } = onOneConnection(connection(patience.statement), {
    patient: connection(patience.long),
  })

  const maintain = async () => {
    // Neither may run in a transaction, so each is a statement of its own.
    for (const statement of ['vacuum (analyze)', 'checkpoint'])
      await inLine(() => connection(patience.maintenance).run(statement, []))
  }
  const maintenance = setInterval(() => maintain().catch(() => {}), MAINTENANCE_INTERVAL_MS)
  maintenance.unref()

  return Object.assign(database, {
    async listen(channel: string, listener: (payload: string | undefined) => void) {
      if (thread.listen(channel, listener)) return
      await inLine(() => thread.ask({ kind: 'listen', channel }, patience.statement))
    },
    async dump(path: string) {
      await inLine(() => thread.ask({ kind: 'dump', path }, patience.long))
    },
    async close() {
      clearInterval(maintenance)
      try {
        await inLine(() => thread.ask({ kind: 'close' }, patience.statement))
      } finally {
        await thread.stop()
        await lock?.release()
      }
    },
  })
}
