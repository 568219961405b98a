/**
 * The embedded database has room for one process. While the site runs it lends the database to commands, over a
 * socket in DATA_DIR, a folder that only the site's own system user may enter. So a command reads and writes its
 * files itself, as whoever gave it, and does the same as on a database of its own.
 */
import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { type Database, type OpenDatabase, onOneConnection } from './database.server.ts'
import { OutcomeUnknown, Unavailable } from './unavailable.ts'

/** What a borrower asks, one after the other. The first of a turn waits for its place in line; `over` ends the turn. */
type Asked = { text: string; values: unknown[] } | { script: string } | 'over'
type Answered = { rows: unknown[] } | { error: object & { name: string; message: string } }

const socketIn = (dataDir: string) => join(dataDir, 'kettle.sock')
/** Everybody else waits meanwhile: a borrower who is silent for so long within a turn has lost it. */
const SILENT_MS = 30_000
const LENGTH_BYTES = 4

/**
 * @param settings.silentMs so long a borrower may be silent within a turn
 * @throws where the system makes no such socket: the path of DATA_DIR may be too long for one
 */
export async function lendDatabase(
  db: OpenDatabase,
  { dataDir, silentMs = SILENT_MS }: { dataDir: string; silentMs?: number },
) {
  const path = socketIn(dataDir)
  const borrowers = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    const served = serve(db, socket, silentMs)
      .catch(() => socket.destroy())
      .then(() => {
        borrowers.delete(socket)
      })
    borrowers.set(socket, served)
  })
  // The folder's lock is ours: what lies here is of a process that is gone.
  await rm(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return {
    /** What is not committed is rolled back. */
    async close() {
      server.close()
      for (const socket of borrowers.keys()) socket.destroy()
      await Promise.all(borrowers.values())
      await rm(path, { force: true })
    },
  }
}

async function serve(db: OpenDatabase, socket: Socket, silentMs: number) {
  const asked = messagesOf<Asked>(socket)
  const next = async () => (await asked.next()).value as Asked | undefined
  for (let first = await next(); first; first = await next())
    await db.dedicated(async (held) => {
      socket.setTimeout(silentMs, () => socket.destroy())
      let one: Asked | undefined = first
      for (; one && one !== 'over'; one = await next()) send(socket, await answer(held, one))
      socket.setTimeout(0)
      if (!one) await held.script('rollback')
    })
}

async function answer(held: Database, asked: Exclude<Asked, 'over'>): Promise<Answered> {
  try {
    if ('text' in asked) return { rows: await held.query(asked as never) }
    await held.script(asked.script)
    return { rows: [] }
  } catch (error) {
    const { name, message, ...details } = error as Error
    return { error: { ...details, name, message } }
  }
}

/** The database of the site that runs on this folder; undefined where none does. */
export async function borrowDatabase(dataDir: string): Promise<OpenDatabase | undefined> {
  const socket = createConnection(socketIn(dataDir))
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  socket.on('error', () => {})
  const answers = messagesOf<Answered>(socket)
  const ask = async (asked: Exclude<Asked, 'over'>) => {
    send(socket, asked)
    const { value, done } = await answers.next()
    if (done) {
      const cause = new Error('The site stopped')
      const isCommit = 'text' in asked && asked.text === 'commit'
      throw isCommit ? new OutcomeUnknown({ cause }) : new Unavailable({ cause })
    }
    if ('error' in value) throw Object.assign(new Error(value.error.message), value.error)
    return value
  }
  const { database } = onOneConnection(
    {
      run: (text, values) => ask({ text, values }),
      script: (script) => ask({ script }),
    },
    { afterTurn: () => send(socket, 'over') },
  )
  return Object.assign(database, {
    // A command does its work and ends: it keeps nothing that news could change.
    listen: async () => {},
    close: async () => {
      socket.end()
    },
  })
}

/** A message is its length and what V8 makes of it: bytes and days stay what they are. */
function send(socket: Socket, message: unknown) {
  if (!socket.writable) return
  const body = serialize(message)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(body.length)
  socket.write(length)
  socket.write(body)
}

async function* messagesOf<Message>(socket: Socket): AsyncGenerator<Message, undefined> {
  let bytes = Buffer.alloc(0)
  try {
    for await (const piece of socket) {
      bytes = Buffer.concat([bytes, piece])
      while (bytes.length >= LENGTH_BYTES) {
        const end = LENGTH_BYTES + bytes.readUInt32LE()
        if (bytes.length < end) break
        yield deserialize(bytes.subarray(LENGTH_BYTES, end)) as Message
        bytes = bytes.subarray(end)
      }
    }
  } catch {
    // The other side is gone, which is an end like any other.
  }
}
