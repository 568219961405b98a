/**
 * A backup file consists of gzipped lines: the head, then each table's rows as JSON arrays in the
 * head's order, then the end with checksums of everything before it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { type BackupStore, localFiles } from './backup-folder.server.ts'
import { ConfigError } from './config.server.ts'

export const BACKUP_FORMAT = 1

const TableHead = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
  /** Each sequence's position, so we never reuse a number. */
  counted: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
})
export type TableHead = z.output<typeof TableHead>

const Head = z.object({
  kettle: z.literal('backup'),
  format: z.literal(BACKUP_FORMAT),
  madeOn: z.string(),
  migrations: z.array(z.string().regex(/^\d{4}_\w+\.sql$/)).min(1),
  /** Identifies the secret key that sealed these rows, without revealing it. */
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

/** Receives batches of rows, table by table. */
type TakeRows = (table: TableHead, rows: string[]) => Promise<void>
export type FeedRows = (take: TakeRows) => Promise<void>

/** An unusable backup. Its message says why, and that nothing was written. */
export class BackupError extends ConfigError {
  override name = 'BackupError'
}
class DamagedBackup extends BackupError {}

/** SHA-256 over rows, no matter in which batches they come. */
export function rowsHash() {
  const hash = createHash('sha256')
  return {
    add: (rows: string[]) => void hash.update(`${rows.join('\n')}\n`),
    end: () => hash.digest('hex'),
  }
}

/**
 * Writes a backup that only its owner can read. Once complete and read back, it appears under its name and replaces any
 * earlier backup.
 * @param readBack reads all of it to check it
 * @returns once it has all rows, the promise of its size in bytes
 * @throws BackupError if another kind of file has that name
 */
export async function writeBackup(
  path: string,
  head: BackupHead,
  feed: FeedRows,
  {
    store = localFiles,
    readBack = (path) => readBackup(path, undefined, store),
  }: { store?: BackupStore; readBack?: (path: string) => Promise<unknown> } = {},
) {
  await mayReplace(path, store)
  const gzip = createGzip()
  const saved = store.save(path, gzip, (draft) =>
    readBack(draft).catch((error) => {
      if (!(error instanceof DamagedBackup)) throw error
      throw new BackupError(
        `We couldn’t read ${path} back, so we didn’t keep it. Check the disk or the bucket.`,
      )
    }),
  )
  // Its failure is handled where we wait for it. Until then, no one does.
  saved.catch(() => {})
  const all = createHash('sha256')
  const write = async (text: string) => {
    all.update(text)
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), saved])
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
    return { saved }
  } catch (error) {
    const couldntSave = gzip.destroyed
    gzip.destroy()
    const why = await saved.catch((error) => error)
    throw couldntSave ? why : error
  }
}

/** We only replace backups. Anything else is someone's file. */
async function mayReplace(path: string, store: BackupStore) {
  const content = await store.read(path)
  if (!content) return
  content.destroy()
  if (!(await readHead(path, store).catch(() => undefined)))
    throw new BackupError(`${path} already exists and isn’t a Kettle backup. Choose another file.`)
}

/** @throws BackupError if the file isn't a backup, or a newer kind. */
async function readHead(path: string, store: BackupStore): Promise<BackupHead> {
  for await (const line of linesOf(path, store)) return headOf(path, line)
  throw notOurs(path)
}

function headOf(path: string, line: string): BackupHead {
  const parsed = jsonOf(line) as { kettle?: unknown; format?: unknown } | undefined
  if (parsed?.kettle !== 'backup') throw notOurs(path)
  if (typeof parsed.format === 'number' && parsed.format > BACKUP_FORMAT)
    throw new BackupError(
      `${path} was made by a newer version of Kettle (format ${parsed.format}). Nothing was changed. Update ` +
        'Kettle first.',
    )
  const head = Head.safeParse(parsed)
  if (!head.success) throw damaged(path)
  return head.data
}

/**
 * Reads and checks a backup from start to end, and delivers its rows. @throws BackupError if it was
 * cut off or changed. Then discard the delivered rows
 */
export async function readBackup(
  path: string,
  take: TakeRows = async () => {},
  store: BackupStore = localFiles,
) {
  let head: BackupHead | undefined
  let isEnded = false
  const all = createHash('sha256')
  const sums: Record<string, string> = {}
  let position = 0
  let left = 0
  let count = 0
  let sum = rowsHash()
  let rows: string[] = []
  let characters = 0

  const table = () => head?.tables[position]
  const handOver = async () => {
    const current = table()
    if (!current || rows.length === 0) return
    sum.add(rows)
    await take(current, rows)
    rows = []
    characters = 0
  }
  /** Closes complete tables, and stops before the first missing row. */
  const closeFull = async () => {
    for (let current = table(); current && left === 0; current = table()) {
      await handOver()
      sums[current.name] = sum.end()
      sum = rowsHash()
      left = head?.tables[++position]?.rows ?? 0
    }
  }

  for await (const line of linesOf(path, store)) {
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
/** No row is this long, so a file without line breaks isn't ours. */
const LINE_BYTES_MAX = 64 * 1024 * 1024
const NEWLINE = 10

/** Unpacked lines. JSON escapes line feeds, so only those separate rows. */
async function* linesOf(path: string, store: BackupStore) {
  const file = await store.read(path)
  if (!file) throw new BackupError(`File not found: ${path}.`)
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
    if (code === 'EISDIR') throw notOurs(path)
    if (code?.startsWith('Z_'))
      throw (await looksPacked(path, store)) ? damaged(path) : notOurs(path)
    throw error
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

const GZIP_MARK = Buffer.from([0x1f, 0x8b])

async function looksPacked(path: string, store: BackupStore) {
  for await (const chunk of (await store.read(path)) ?? [])
    return GZIP_MARK.equals((chunk as Buffer).subarray(0, 2))
  return false
}

const notOurs = (path: string) => new BackupError(`${path} isn’t a Kettle backup.`)
const damaged = (path: string) =>
  new DamagedBackup(`${path} is damaged or incomplete. Nothing was changed. Use another backup.`)

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
