/** Where the project is, and how files survive a power cut. A file's content and its name must be synced separately. */
import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
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

/** Creates a folder that only this user can open, along with any missing folders above it. */
export async function privateFolder(folder: string) {
  const highest = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(async (highest) => {
      await access(folder, constants.W_OK | constants.X_OK)
      return highest
    })
    .catch((error) => {
      if (!/^(EACCES|EPERM|EROFS|EEXIST|ENOTDIR|ENAMETOOLONG|ELOOP)$/.test(error.code)) throw error
      throw new ConfigError(
        'DATA_DIR isn’t a folder that this user can write to. chown it, or set DATA_DIR to another folder.',
      )
    })
  if (!highest) return
  for (let made = folder; ; made = dirname(made)) {
    await syncFolder(dirname(made))
    if (made === highest) return
  }
}
