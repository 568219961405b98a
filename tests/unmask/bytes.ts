/**
 * Reads the database's files as they are, with dead rows, the write-ahead log and events for other processes. It looks for
 * values that the thief knows from live rows, wherever they were ever written.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const PAGE = 8_192
const LOG_SEGMENT = /^[0-9A-F]{24}$/
/** PostgreSQL writes its 64-bit setting here, where a page of the log would begin. */
const LOG_PAGE_ADDRESS = 8

export interface Sightings {
  /** Positions in the write-ahead log, which grow with time. */
  log: number[]
  /** Transactions of table rows, including dead ones. */
  rows: number[]
}

/** A value as tables store it: a UUID as its 16 bytes, anything else as text. */
export const bytesOf = (value: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
    ? Buffer.from(value.replaceAll('-', ''), 'hex')
    : value.startsWith('\\x')
      ? Buffer.from(value.slice(2), 'hex')
      : Buffer.from(value)

/** Where each of these values occurs in the files in these folders. */
export async function sightingsIn(folders: string[], values: Iterable<string>) {
  const index = indexOf(values)
  const found = new Map<string, Sightings>()
  const note = (value: string) => {
    const known = found.get(value)
    if (known) return known
    const fresh = { log: [], rows: [] }
    found.set(value, fresh)
    return fresh
  }
  const all = folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }))
  for (const entry of (await Promise.all(all)).flat()) {
    if (!entry.isFile()) continue
    // A checkpoint removes log files.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(nothingIfGone)
    if (!bytes) continue
    const isLog = LOG_SEGMENT.test(basename(entry.name))
    for (const [value, at] of matchesIn(bytes, index))
      if (isLog) note(value).log.push(addressOf(bytes, at))
      else {
        const row = rowAround(bytes, at)
        if (row) note(value).rows.push(...row)
      }
  }
  return found
}

function nothingIfGone(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

interface Index {
  /** Whether a value begins with these three bytes. */
  isBeginning: Uint8Array
  byBeginning: Map<number, { value: string; bytes: Buffer }[]>
}

function indexOf(values: Iterable<string>): Index {
  const isBeginning = new Uint8Array(1 << 24)
  const byBeginning: Index['byBeginning'] = new Map()
  for (const value of values) {
    const bytes = bytesOf(value)
    if (bytes.length < 12) continue
    isBeginning[bytes.readUIntBE(0, 3)] = 1
    const beginning = bytes.readUInt32BE(0)
    const alike = byBeginning.get(beginning) ?? []
    byBeginning.set(beginning, [...alike, { value, bytes }])
  }
  return { isBeginning, byBeginning }
}

function* matchesIn(
  bytes: Buffer,
  { isBeginning, byBeginning }: Index,
): Iterable<[string, number]> {
  let three = 0
  for (let at = 0; at < bytes.length; at++) {
    three = ((three << 8) | (bytes[at] as number)) & 0xffffff
    if (isBeginning[three] === 0 || at < 2 || at + 2 > bytes.length) continue
    const start = at - 2
    if (start + 4 > bytes.length) continue
    for (const { value, bytes: wanted } of byBeginning.get(bytes.readUInt32BE(start)) ?? [])
      if (
        start + wanted.length <= bytes.length &&
        bytes.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0
      )
        yield [value, start]
  }
}

/** Recycled segments have new names and old pages, so the page itself says where it belongs. */
function addressOf(bytes: Buffer, at: number) {
  const page = at - (at % PAGE)
  return Number(bytes.readBigUInt64LE(page + LOG_PAGE_ADDRESS)) + (at % PAGE)
}

/** The transactions that created and deleted the row at this position in a table's file. */
function rowAround(bytes: Buffer, at: number): number[] | undefined {
  const page = at - (at % PAGE)
  if (page + PAGE > bytes.length) return undefined
  const within = at - page
  const lower = bytes.readUInt16LE(page + 12)
  // Index pages have their own data at the end.
  if (bytes.readUInt16LE(page + 16) !== PAGE || lower < 24 || lower > PAGE) return undefined
  for (let pointer = 24; pointer < lower; pointer += 4) {
    const item = bytes.readUInt32LE(page + pointer)
    const start = item & 0x7fff
    const length = item >>> 17
    if (start > within || within >= start + length || length < 24) continue
    return [bytes.readUInt32LE(page + start), bytes.readUInt32LE(page + start + 4)].filter(
      (xid) => xid > 2,
    )
  }
  return undefined
}
