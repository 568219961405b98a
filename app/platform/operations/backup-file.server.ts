/**
 * The file of a backup: gzip over lines. First the head, then each row of each table as a JSON list,
 * in the head's order, last the end with the checksums of all that came before it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { syncFolder } from '../database/durable.server.ts'
import { ConfigError } from './config.server.ts'

export const BACKUP_FORMAT = 1

const TableHead = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
  /** How far each counted column had come: a number that was given is not given again. */
  counted: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
})
export type TableHead = z.output<typeof TableHead>

const Head = z.object({
  kettle: z.literal('backup'),
  format: z.literal(BACKUP_FORMAT),
  madeOn: z.string(),
  migrations: z.array(z.string().regex(/^\d{4}_\w+\.sql$/)).min(1),
  /** What tells the secret key that sealed these rows from another; not the key. */
  keyMark: z.string().nullable(),
  tables: z.array(TableHead),
})
export type BackupHead = z.output<typeof Head>

const End = z.object({
  end: z.literal('backup'),
  rows: z.number(),
  /** SHA-256 of each table's rows. */
  tables: z.record(z.string(), z.string()),
  /** SHA-256 of all lines before this one. */
  sha256: z.string(),
})

/** Receives rows of one table after the other, some at a time. */
export type TakeRows = (table: TableHead, rows: string[]) => Promise<void>
/** Hands out all rows of the head's tables, in its order. */
export type FeedRows = (take: TakeRows) => Promise<void>

/** A backup that cannot be used; its sentence says why, and that nothing was written. */
export class BackupError extends ConfigError {
  override name = 'BackupError'
}

/** SHA-256 of rows, one after the other, wherever they come from. */
export function rowsHash() {
  const hash = createHash('sha256')
  return {
    add: (rows: string[]) => void hash.update(`${rows.join('\n')}\n`),
    end: () => hash.digest('hex'),
  }
}

/**
 * Writes a backup, readable by its owner only. It appears under its name as a whole or not at all; an
 * earlier backup of that name is replaced then.
 * @returns its size in bytes
 * @throws BackupError where another kind of file has that name
 */
export async function writeBackup(path: string, head: BackupHead, feed: FeedRows) {
  await mayReplace(path)
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const gzip = createGzip()
  const written = pipeline(gzip, file)
  // Told by `finished` below; until then nobody listens.
  written.catch(() => {})
  const all = createHash('sha256')
  const write = async (text: string) => {
    all.update(text)
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written])
  }
  try {
    await write(`${JSON.stringify(head)}\n`)
    const sums: Record<string, ReturnType<typeof rowsHash>> = {}
    for (const { name } of head.tables) sums[name] = rowsHash()
    let count = 0
    await feed(async (table, rows) => {
      if (rows.length === 0) return
      sums[table.name]?.add(rows)
      count += rows.length
      await write(`${rows.join('\n')}\n`)
    })
    const tables = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.end()]))
    gzip.end(
      `${JSON.stringify({ end: 'backup', rows: count, tables, sha256: all.digest('hex') })}\n`,
    )
    await written
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncFolder(dirname(path))
    return size
  } catch (error) {
    gzip.destroy()
    await finished(file).catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

/** What is no backup is somebody's file. */
async function mayReplace(path: string) {
  const there = await stat(path).catch(() => undefined)
  if (!there) return
  const isOurs = there.isFile() && there.size > 0 && (await readHead(path).catch(() => undefined))
  if (!isOurs)
    throw new BackupError(`${path} already exists and isn’t a Kettle backup. Name another file.`)
}

/** @throws BackupError where the file is none, or of a newer kind. */
async function readHead(path: string): Promise<BackupHead> {
  for await (const line of linesOf(path)) return headOf(path, line)
  throw notOurs(path)
}

function headOf(path: string, line: string): BackupHead {
  const said = jsonOf(line) as { kettle?: unknown; format?: unknown } | undefined
  if (said?.kettle !== 'backup') throw notOurs(path)
  if (typeof said.format === 'number' && said.format > BACKUP_FORMAT)
    throw new BackupError(
      `${path} was made by a newer Kettle (format ${said.format}). Nothing was changed. ` +
        'Update this program first.',
    )
  const head = Head.safeParse(said)
  if (!head.success) throw damaged(path)
  return head.data
}

/**
 * Reads a backup from its first line to its last, checks it and hands out its rows.
 * @throws BackupError when it was cut off or changed: then what was handed out is worth nothing
 */
export async function readBackup(path: string, take: TakeRows = async () => {}) {
  let head: BackupHead | undefined
  let isEnded = false
  const all = createHash('sha256')
  const sums: Record<string, string> = {}
  let place = 0
  let left = 0
  let count = 0
  let sum = rowsHash()
  let rows: string[] = []
  let characters = 0

  const table = () => head?.tables[place]
  const handOver = async () => {
    const current = table()
    if (!current || rows.length === 0) return
    sum.add(rows)
    await take(current, rows)
    rows = []
    characters = 0
  }
  /** Closes the tables that are complete, and stands before the first row that is missing. */
  const closeFull = async () => {
    for (let current = table(); current && left === 0; current = table()) {
      await handOver()
      sums[current.name] = sum.end()
      sum = rowsHash()
      left = head?.tables[++place]?.rows ?? 0
    }
  }

  for await (const line of linesOf(path)) {
    if (isEnded) throw damaged(path)
    if (!head) {
      head = headOf(path, line)
      left = head.tables[0]?.rows ?? 0
      await closeFull()
    } else if (line.startsWith('[')) {
      if (!table()) throw damaged(path)
      rows.push(line)
      characters += line.length
      count += 1
      left -= 1
      if (rows.length >= PAGE_ROWS || characters >= PAGE_CHARACTERS) await handOver()
      await closeFull()
    } else {
      const end = End.safeParse(jsonOf(line))
      if (!end.success || table() || end.data.rows !== count) throw damaged(path)
      if (end.data.sha256 !== all.copy().digest('hex')) throw damaged(path)
      if (head.tables.some(({ name }) => end.data.tables[name] !== sums[name])) throw damaged(path)
      isEnded = true
    }
    all.update(line).update('\n')
  }
  if (!head) throw notOurs(path)
  if (!isEnded) throw damaged(path)
  return head
}

const PAGE_ROWS = 2_000
const PAGE_CHARACTERS = 1_000_000
/** No row is so long; what has no line breaks is not ours. */
const LINE_BYTES_MAX = 64 * 1024 * 1024
const NEWLINE = 10

/** The unpacked lines. Texts may hold every other break than a line feed, which JSON writes as \n. */
async function* linesOf(path: string) {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  const reading = pipeline(file, gunzip)
  reading.catch(() => {})
  let begun: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        const last = chunk.subarray(from, at)
        yield (begun.length > 0 ? Buffer.concat([...begun, last]) : last).toString('utf8')
        begun = []
        bytes = 0
        from = at + 1
      }
      if (from === chunk.length) continue
      begun.push(chunk.subarray(from))
      bytes += chunk.length - from
      if (bytes > LINE_BYTES_MAX) throw notOurs(path)
    }
    if (begun.length > 0) throw damaged(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new BackupError(`There’s no file ${path}.`)
    if (code === 'EISDIR') throw notOurs(path)
    if (code?.startsWith('Z_')) throw (await looksPacked(path)) ? damaged(path) : notOurs(path)
    throw error
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

/** Whether it begins as gzip does. */
async function looksPacked(path: string) {
  const handle = await open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.equals(Buffer.from([0x1f, 0x8b]))
  } finally {
    await handle.close()
  }
}

const notOurs = (path: string) => new BackupError(`${path} isn’t a Kettle backup.`)
const damaged = (path: string) =>
  new BackupError(`${path} is damaged or cut off. Nothing was changed. Use another backup.`)

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
