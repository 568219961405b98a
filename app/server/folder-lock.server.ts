/**
 * A lock on a folder, held by one process. The embedded database has none of its own: two
 * processes on one folder lose each other's writes.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.server.ts'

interface Holder {
  pid: number
  /** When the process started, in the kernel's ticks: process ids are used again, in containers often. */
  startedAt: string | null
  nonce: string
}

/** @throws an Error with a sentence when a living process holds the folder. */
export async function takeFolderLock(folder: string) {
  const lockFile = join(folder, 'kettle.lock')
  const me: Holder = {
    pid: process.pid,
    startedAt: await startOf(process.pid),
    nonce: randomUUID(),
  }
  const ticket = join(folder, `.lock-${me.nonce}`)
  await writeFile(ticket, JSON.stringify(me))
  try {
    // `link` fails when the file exists, so of two processes exactly one succeeds.
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        await link(ticket, lockFile)
        return { release: () => releaseLock(lockFile, me) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = await readHolder(lockFile)
      if (holder && (await isAlive(holder)))
        throw new ConfigError(
          `The folder ${folder} is in use by another Kettle (process ${holder.pid}). ` +
            'Stop it first, or set DATA_DIR to another folder.',
        )
      await moveStaleLock(lockFile, holder, join(folder, `.stale-${me.nonce}`))
    }
    throw new ConfigError(`The folder ${folder} is being opened by another Kettle.`)
  } finally {
    await rm(ticket, { force: true })
  }
}

/**
 * Takes away the lock that a killed process left. Between our look and the move another process
 * may have done the same and locked the folder afresh: what was moved is looked at again, and a
 * lock that is not the stale one goes back.
 */
async function moveStaleLock(lockFile: string, stale: Holder | undefined, aside: string) {
  await rename(lockFile, aside).catch(() => {})
  const moved = await readHolder(aside)
  if (moved && moved.nonce !== stale?.nonce) await link(aside, lockFile).catch(() => {})
  await rm(aside, { force: true })
}

async function readHolder(lockFile: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lockFile, 'utf8'))
  } catch {
    return undefined
  }
}

async function isAlive(holder: Holder) {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const startedAt = await startOf(holder.pid)
  return holder.startedAt === null || startedAt === null || startedAt === holder.startedAt
}

/** Field 22 of /proc/PID/stat; null where there is no /proc. */
async function startOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The second field, the command's name, may hold spaces: count from its closing bracket.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function releaseLock(lockFile: string, me: Holder) {
  if ((await readHolder(lockFile))?.nonce === me.nonce) await rm(lockFile, { force: true })
}
