/** PostgreSQL compiled to WebAssembly, in a worker thread, behind the `Database` interface. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { handleOn, type OpenDatabase, runTransaction } from './database.server.ts'
import { takeFolderLock } from './folder-lock.server.ts'
import type { News, Opened, PgliteData, Request, Response } from './pglite-protocol.ts'

/** The engine has no autovacuum and no checkpointer of its own, so the house does their work. */
const MAINTENANCE_INTERVAL_MS = 10 * 60_000

/** Omit for each member, so that the union of messages stays a union. */
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never

export interface PgliteDatabase extends OpenDatabase {
  /** Writes all data into one file, from which another database can begin. */
  dump(path: string): Promise<void>
}

/**
 * Opens (or creates) the database under `dataDir`, or one in memory for tests.
 * @param settings `from` is the file of a `dump` with which a new database begins
 * @throws an Error with a sentence when another process uses the folder.
 */
export async function openPglite(settings: {
  dataDir: string | 'memory://'
  from?: string
}): Promise<PgliteDatabase> {
  const inMemory = settings.dataDir === 'memory://'
  if (!inMemory) await privateFolder(settings.dataDir)
  const lock = inMemory ? undefined : await takeFolderLock(settings.dataDir)

  const { from } = settings
  const dataDir = inMemory ? 'memory://' : join(settings.dataDir, 'pg')
  const thread = await startThread({ dataDir, ...(from && { from }) }).catch(async (error) => {
    await lock?.release()
    throw error
  })

  // One connection: a transaction keeps it until it ends, everybody else waits in line.
  let line: Promise<unknown> = Promise.resolve()
  const inLine = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = line.then(work)
    line = turn.catch(() => {})
    return turn
  }
  const run = (text: string, values: unknown[]) => thread.ask({ kind: 'query', text, values })
  const script = (text: string) => thread.ask({ kind: 'script', text })

  const maintain = async () => {
    // Neither may run in a transaction, so each is a statement of its own.
    for (const statement of ['vacuum (analyze)', 'checkpoint'])
      await inLine(() => run(statement, []))
  }
  const maintenance = setInterval(() => maintain().catch(() => {}), MAINTENANCE_INTERVAL_MS)
  maintenance.unref()

  const database: PgliteDatabase = {
    engine: 'pglite',
    query: async <Row>(statement: { text: string; values: unknown[] }) =>
      (await inLine(() => run(statement.text, statement.values))).rows as Row[],
    transaction: (work) => inLine(() => runTransaction(database, { run, script }, work)),
    afterCommit: (work) => work(database),
    script: async (text) => {
      await inLine(() => script(text))
    },
    // In this process, so there is nothing between that could be lost.
    news: { state: 'ok', losses: 0, onChange: () => {} },
    async listen(channel, hear) {
      if (!thread.hear(channel, hear)) await inLine(() => thread.ask({ kind: 'listen', channel }))
    },
    dedicated: (work) => inLine(() => work(handleOn(database, { run, script }))),
    async dump(path) {
      await inLine(() => thread.ask({ kind: 'dump', path }))
    },
    async close() {
      clearInterval(maintenance)
      await inLine(() => thread.ask({ kind: 'close' }))
      await thread.stop()
      await lock?.release()
    },
  }
  return database
}

/** The engine leaves its files open to every user of the machine: their folder is the door. */
async function privateFolder(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // One that was made before, or by hand. Whose it is not may not: `npm run doctor` tells of it.
  await chmod(folder, 0o700).catch(() => {})
}

/** Starts the worker and pairs each answer with its question. */
async function startThread(data: PgliteData) {
  const worker = startWorker(data)

  const waiting = new Map<
    number,
    { resolve: (answer: { rows: unknown[] }) => void; reject: (error: Error) => void }
  >()
  let lastId = 0
  let ended = false

  const failAll = (error: Error) => {
    ended = true
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (message: Opened) =>
      message.opened
        ? resolve()
        : reject(new Error(`The embedded database could not be opened: ${message.message}`)),
    )
    worker.on('error', (error) => {
      failAll(error)
      reject(error)
    })
    worker.once('exit', () => {
      const error = new Error('The embedded database has stopped')
      failAll(error)
      reject(error)
    })
  })

  const listeners = new Map<string, ((payload: string) => void)[]>()
  worker.on('message', (message: Response | News) => {
    if ('channel' in message) {
      for (const hear of listeners.get(message.channel) ?? []) hear(message.payload)
      return
    }
    const question = waiting.get(message.id)
    waiting.delete(message.id)
    if (!question) return
    if ('error' in message)
      question.reject(Object.assign(new Error(message.error.message), message.error))
    else question.resolve(message)
  })

  return {
    ask(message: WithoutId<Request>) {
      if (ended) return Promise.reject(new Error('The embedded database has stopped'))
      const id = ++lastId
      return new Promise<{ rows: unknown[] }>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, ...message })
      })
    },
    /** Answers whether somebody listens to the channel already. */
    hear(channel: string, hear: (payload: string) => void) {
      const others = listeners.get(channel) ?? []
      listeners.set(channel, [...others, hear])
      return others.length > 0
    },
    stop: () => worker.terminate(),
  }
}

/** Bundled for production; from its source in development and tests, where tsx must be loaded first. */
function startWorker(workerData: PgliteData) {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData })
  const source = new URL('./pglite-worker.server.ts', import.meta.url)
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${source.href}') })`
  return new Worker(load, {
    workerData,
    eval: true,
  })
}
