/** Slow failures: writes that fail, a disk that fills up, overdue recurring jobs. */

import { statfs } from 'node:fs/promises'
import type { Database } from '../database/database.server.ts'
import type { WriteFigures, WriteWatch } from '../database/write-watch.server.ts'
import type { Jobs } from '../jobs/jobs.server.ts'
import { type RoundFigures, roundFigures } from '../jobs/queue-figures.server.ts'

export interface HealthChecks {
  writes(): Promise<WriteFigures>
  disk(): Promise<DiskRoom>
  rounds(): Promise<RoundFigures[]>
}

/** For /readyz. None makes a process unready, as another would do no better. */
export interface HealthStates {
  writes: WriteFigures['writes'] | 'unknown'
  writesReason?: WriteFigures['writesReason']
  lastWriteSeconds: number | null
  disk: DiskRoom['word'] | 'unknown'
  rounds: 'ok' | 'late' | 'unknown'
}

export const createHealthChecks = (parts: {
  db: Database
  watch: WriteWatch
  jobs: Pick<Jobs, 'rounds'>
  dataDir: string
  now?: () => Date
}): HealthChecks => ({
  writes: () => parts.watch.figures(parts.db),
  disk: () => diskRoom(parts.dataDir),
  rounds: () => roundFigures(parts, parts.jobs.rounds()),
})

/** What can't be determined is `unknown`. */
export async function healthStates(signs: HealthChecks): Promise<HealthStates> {
  const unknown = () => undefined
  const [writes, disk, rounds] = await Promise.all([
    signs.writes().catch(unknown),
    signs.disk().catch(unknown),
    signs.rounds().catch(unknown),
  ])
  return {
    writes: 'unknown',
    lastWriteSeconds: null,
    ...writes,
    disk: disk?.word ?? 'unknown',
    rounds: !rounds ? 'unknown' : rounds.some(({ isLate }) => isLate) ? 'late' : 'ok',
  }
}

/** With less, a database here soon lacks room for a checkpoint. */
const LOW_BYTES = 500e6
const LOW_SHARE = 0.05
/** Enough, even if it's little of a large disk. */
const PLENTY_BYTES = 5e9

export interface DiskRoom {
  freeBytes: number
  word: 'ok' | 'low'
}

/**
 * What this user may still fill.
 * @throws an error of the file system
 */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, word: roomWord(bavail * bsize, blocks * bsize) }
}

/** `low` below 500 MB, or below 5% of the disk if that's less than 5 GB. */
export const roomWord = (freeBytes: number, allBytes: number): 'ok' | 'low' =>
  freeBytes < LOW_BYTES || (freeBytes < allBytes * LOW_SHARE && freeBytes < PLENTY_BYTES)
    ? 'low'
    : 'ok'
