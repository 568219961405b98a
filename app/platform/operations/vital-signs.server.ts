/** What goes wrong slowly: writes that fail, a disk that fills up, work of the house that stays undone. */
import type { Database } from '../database/database.server.ts'
import type { WriteFigures, WriteWatch } from '../database/write-watch.server.ts'
import type { Jobs } from '../jobs/jobs.server.ts'
import { type RoundFigures, roundFigures } from '../jobs/round-figures.server.ts'
import { type DiskRoom, diskRoom } from './disk-room.server.ts'

export interface VitalSigns {
  writes(): Promise<WriteFigures>
  disk(): Promise<DiskRoom>
  rounds(): Promise<RoundFigures[]>
}

/** The same in words, for /readyz. None of them makes a process unready: another would do no better. */
export interface VitalStates {
  writes: WriteFigures['writes'] | 'unknown'
  writesReason?: WriteFigures['writesReason']
  lastWriteSeconds: number | null
  disk: DiskRoom['word'] | 'unknown'
  rounds: 'ok' | 'late' | 'unknown'
}

export const createVitalSigns = (parts: {
  db: Database
  watch: WriteWatch
  jobs: Pick<Jobs, 'rounds'>
  dataDir: string
  now?: () => Date
}): VitalSigns => ({
  writes: () => parts.watch.figures(parts.db),
  disk: () => diskRoom(parts.dataDir),
  rounds: () => roundFigures(parts, parts.jobs.rounds()),
})

/** What cannot be found out is `unknown`, and the rest is told. */
export async function vitalStates(signs: VitalSigns): Promise<VitalStates> {
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
