/**
 * Whether the database can write. Every few seconds one process writes a row, so we know even if no one
 * does anything. A failed write counts for a minute.
 */
import sql from 'sql-template-tag'
import { Unavailable } from '../http/unavailable.ts'
import type { Database } from './database.server.ts'
import { after, databaseClock } from './database.server.ts'

const WRITE_EVERY_MS = 10_000
/** If the last successful write is older, something is wrong. */
const LATE_S = 60
/** A full disk still has room for small writes, so a success doesn't cancel a failure. */
const REMEMBERED_MS = 60_000

const REASONS: Record<string, WriteReason> = {
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  '25006': 'read-only',
}
type WriteReason = 'disk-full' | 'read-only'

/**
 * PostgreSQL has no code for some failures, such as a file that can't grow. It reports an internal error
 * (XX000) from the source files that write. Their names are the same in every language.
 */
const WRITES_FILES = /^(md|fd|buffile)\.c$/

/** The disk failed to read or write a page. */
const IO_ERROR = '58030'

export interface WriteFigures {
  writes: 'ok' | 'failing'
  /** If known. */
  writesReason?: WriteReason
  /** Since the last write of any process. */
  lastWriteSeconds: number | null
}

export interface WriteWatch {
  /** Records why a statement failed. Returns what to throw, because a failing disk isn't our bug. */
  noteFailure(error: unknown): unknown
  /** Resolves after the first write, whether it worked or not. */
  start(db: Database): Promise<void>
  stop(): Promise<void>
  /** Writes now, unless another process just did. Never throws. */
  write(db: Database): Promise<void>
  figures(db: Database): Promise<WriteFigures>
}

/** @param settings.now a clock for tests, instead of the database's */
export function createWriteWatch({ now }: { now?: () => Date } = {}): WriteWatch {
  const moment = databaseClock(now)
  let refused: { at: number; reason: WriteReason } | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function noteFailure(error: unknown) {
    const { code, file } = (error ?? {}) as { code?: unknown; file?: unknown }
    const isGrowthRefused = code === 'XX000' && WRITES_FILES.test(String(file))
    const reason = isGrowthRefused ? 'disk-full' : REASONS[String(code)]
    if (reason) refused = { at: performance.now(), reason }
    // A transaction reports its statement's failure a second time.
    if (reason === 'disk-full' && !(error instanceof Unavailable && error.isFull))
      return new Unavailable({ code: code as string, isFull: true, cause: error })
    if (code === IO_ERROR && !(error instanceof Unavailable))
      return new Unavailable({ code, cause: error })
    return error
  }

  const write = (db: Database) =>
    db
      .query(sql`
        insert into last_write (at) values (${moment()})
        on conflict (is_only) do update set at = excluded.at
         where last_write.at not between ${after(moment(), 1_000 - WRITE_EVERY_MS)} and ${moment()}`)
      .then(
        () => {},
        (error) => void noteFailure(error),
      )

  return {
    noteFailure,
    write,
    async start(db) {
      writing = write(db)
      timer = setInterval(() => {
        writing = writing.then(() => write(db))
      }, WRITE_EVERY_MS).unref()
      await writing
    },
    // No one waits for the result of a write in progress.
    async stop() {
      clearInterval(timer)
    },
    async figures(db) {
      const [last] = await db.query<{ seconds: number }>(sql`
        select greatest(extract(epoch from ${moment()} - at), 0)::float8 as seconds
          from last_write`)
      const lastWriteSeconds = last?.seconds ?? null
      const isRefused = refused && performance.now() - refused.at < REMEMBERED_MS
      const isLate = lastWriteSeconds === null || lastWriteSeconds > LATE_S
      return {
        writes: isRefused || isLate ? 'failing' : 'ok',
        ...(isRefused && { writesReason: refused?.reason }),
        lastWriteSeconds: lastWriteSeconds === null ? null : Math.round(lastWriteSeconds),
      }
    },
  }
}
