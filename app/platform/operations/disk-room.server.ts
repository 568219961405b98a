/** How much room there is where DATA_DIR is. */
import { statfs } from 'node:fs/promises'

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
