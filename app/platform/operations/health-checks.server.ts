/** What goes wrong slowly: writes that fail, a disk that fills up, work of the house that stays undone. */

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

/** The same in words, for /readyz. None of them makes a process unready: another would do no better. */
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

/** What cannot be found out is `unknown`, and the rest is told. */
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

/** With less, a database here will soon not find what it needs for a checkpoint. */
const LOW_BYTES = 500e6
const LOW_SHARE = 0.05
/** Of a large disk a twentieth is plenty. */
const PLENTY_BYTES = 5e9

export interface DiskRoom {
  freeBytes: number
  word: 'ok' | 'low'
}

/** What this user may still fill. @throws an error of the file system */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, word: roomWord(bavail * bsize, blocks * bsize) }
}

/** `low` under 500 MB, or under a twentieth of the disk as long as that is less than 5 GB. */
export const roomWord = (freeBytes: number, allBytes: number): 'ok' | 'low' =>
  freeBytes < LOW_BYTES || (freeBytes < allBytes * LOW_SHARE && freeBytes < PLENTY_BYTES)
    ? 'low'
    : 'ok'
