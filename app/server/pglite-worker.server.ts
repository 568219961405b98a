/** The embedded database in a thread of its own: it would block the event loop of the site. */
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { valueParsers } from './database.server.ts'
import type { News, Opened, PgliteData, Request, Response } from './pglite-protocol.ts'

const port = parentPort
if (!port) throw new Error('pglite-worker runs in a worker thread only')

const answer = (message: Response | News | Opened) => port.postMessage(message)

async function open() {
  const { dataDir, from } = workerData as PgliteData
  const database = await PGlite.create({
    dataDir,
    ...(from && { loadDataDir: new Blob([await readFile(from)]) }),
    extensions: { pg_trgm },
    parsers: valueParsers,
    postgresqlconf: ['shared_buffers = 32MB', "timezone = 'UTC'"],
  })
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

open().then(
  () => answer({ opened: true }),
  (error: Error) => answer({ opened: false, message: error.message }),
)
