/** Where the project is, and how files survive a power cut. A file's content and its name must be synced separately. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './operations/config.server.ts'

/** This file and the built server are both two levels below the project's folder. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Syncs a folder's list of names to the disk, after one was created or moved. Not every system can do that. */
export async function syncFolder(path: string) {
  const handle = await open(path).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

const UNUSABLE =
  /^(EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|ENOSYS|EINVAL|EOPNOTSUPP|ENAMETOOLONG|ELOOP)$/

/** Creates a folder that only this user can open, along with any missing folders above it. */
export const privateFolder = (folder: string) =>
  makeFolder(folder)
    .then(() => tryOut(folder))
    .catch((error) => {
      if (!UNUSABLE.test(error.code)) throw error
      throw new ConfigError(
        'DATA_DIR isn’t a folder that this user can write to. chown it, or set DATA_DIR to another folder.',
      )
    })

/** One after the other, because Node's own recursion never ends in /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    // Another process was faster.
    if (error.code !== 'EEXIST') throw error
  })
  await syncFolder(dirname(folder))
}

/** Root may do everything, but not even root can make a file in /proc. */
async function tryOut(folder: string) {
  const file = join(folder, `.${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // What needs the space says so.
    if (/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
  await unlink(file)
}
