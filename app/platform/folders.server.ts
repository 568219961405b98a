/**
 * Where the project is, and what a power cut must not take: a file's content and the name it stands under are two things.
 */
import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './operations/config.server.ts'

/** This file and the built server are both two levels below it. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Puts on the disk which names a folder holds, after one was made or moved. Not every system can be asked for that. */
export async function syncFolder(path: string) {
  const handle = await open(path).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/**
 * Makes a folder in DATA_DIR that only this user may look into, with those above it.
 * @throws ConfigError if this user can't
 */
export async function privateFolder(folder: string) {
  const highest = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(async (highest) => {
      await access(folder, constants.W_OK | constants.X_OK)
      return highest
    })
    .catch((error) => {
      if (!/^(EACCES|EPERM|EROFS|EEXIST|ENOTDIR)$/.test(error.code)) throw error
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
