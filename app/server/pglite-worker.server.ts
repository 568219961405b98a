/** The embedded database in a thread of its own: it would block the event loop of the site. */
import { writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { valueParsers } from './database.server.ts'
import { beginWith, openFiles } from './pglite-files.server.ts'
import type {
  Lost,
  Notification,
  Opened,
  PgliteData,
  Request,
  Response,
} from './pglite-protocol.ts'

const port = parentPort
if (!port) throw new Error('pglite-worker runs in a worker thread only')

const answer = (message: Response | Notification | Opened | Lost) => port.postMessage(message)

async function open() {
  const { dataDir, from } = workerData as PgliteData
  const options = {
    extensions: { pg_trgm },
    parsers: valueParsers,
    postgresqlconf: [
      'shared_buffers = 32MB',
      "timezone = 'UTC'",
      // What the log held of a day goes with the night, instead of waiting to be written over.
      'wal_recycle = off',
      'min_wal_size = 32MB',
    ],
  }
  const database =
    dataDir === 'memory://'
      ? await PGlite.create({ ...options, ...(from && (await beginWith(from))) })
      : await openFiles(dataDir, options, { from, onPanic })
  port?.on('message', async (request: Request) => {
    try {
      if (request.kind === 'query') {
        const { rows } = await database.query(request.text, request.values)
        answer({ id: request.id, rows })
      } else if (request.kind === 'listen') {
        const { channel } = request
        await database.listen(channel, (payload) => answer({ channel, payload }))
        answer({ id: request.id, rows: [] })
      } else if (request.kind === 'dump') {
        await writeFile(request.path, (await database.dumpDataDir('none')).stream())
        answer({ id: request.id, rows: [] })
      } else {
        await (request.kind === 'script' ? database.exec(request.text) : database.close())
        answer({ id: request.id, rows: [] })
      }
    } catch (cause) {
      const { message, code, constraint, detail } = cause as Error & Record<string, string>
      answer({ id: request.id, error: { message, code, constraint, detail } })
    }
  })
}

/** After it the engine answers nothing, and goes round in circles at the next question. */
function onPanic(why: string): never {
  answer({ lost: why })
  // In a worker that ends the thread alone.
  process.exit(1)
}

open().then(
  () => answer({ opened: true }),
  (error: Error) => answer({ opened: false, message: error.message }),
)
