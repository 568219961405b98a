/** Where backups are: in a folder on this machine, or in a bucket (`s3://bucket/folder`). */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DAY_MS } from '../days.server.ts'
import { privateFolder, syncFolder } from '../folders.server.ts'
import { ConfigError } from './config.server.ts'

export interface BackupStore {
  /** A file's content. Undefined if there's no such file. */
  read(path: string): Promise<Readable | undefined>
  /**
   * Stores a file, which only its owner can read. Without a complete content that passes the check, none appears.
   * @param check gets the path of the stored backup
   * @returns its size in bytes
   */
  save(path: string, content: Readable, check: (path: string) => Promise<unknown>): Promise<number>
  /** Makes sure that files can be saved in a folder, and removes what's left of backups that were cut off. */
  prepare(folder: string): Promise<void>
  /** The names of all files in a folder. */
  list(folder: string): Promise<string[]>
  remove(path: string): Promise<void>
  /** The path of a file in a folder. */
  inside(folder: string, name: string): string
}

const OUR_NAME = /^kettle-\d{4}-\d\d-\d\d-\d{6}\.backup$/
const OUR_DRAFT = /^\.kettle-\d{4}-\d\d-\d\d-\d{6}\.backup\.[0-9a-f]{12}\.part$/

export const backupName = (now: Date) =>
  `kettle-${now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.backup`

/** The newest backup in a folder, by its name. */
export async function newestIn(store: BackupStore, folder: string) {
  const newest = (await store.list(folder))
    .filter((name) => OUR_NAME.test(name))
    .toSorted()
    .at(-1)
  return newest && store.inside(folder, newest)
}

/**
 * Deletes the oldest backups in a folder. Anything with another name is someone else's.
 * @param made the one that was just made, which stays even if the clock was wrong
 * @returns how many are gone
 */
export async function keepNewest(store: BackupStore, folder: string, made: string, keep: number) {
  const others = (await store.list(folder)).filter((name) => OUR_NAME.test(name) && name !== made)
  const old = others
    .toSorted()
    .toReversed()
    .slice(keep - 1)
  for (const name of old) await store.remove(store.inside(folder, name))
  return old.length
}

export const localFiles: BackupStore = {
  async read(path) {
    const handle = await open(path).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
    return handle?.createReadStream()
  },
  async save(path, content, check) {
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
    try {
      await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
      await check(draft)
      const { size } = await stat(draft)
      await rename(draft, path)
      await syncFolder(dirname(path))
      return size
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  },
  async prepare(folder) {
    await privateFolder(folder).catch((error) => {
      if (!(error instanceof ConfigError)) throw error
      throw new ConfigError(
        `${folder} isn’t a folder that this user can write to. chown it, or choose another one.`,
      )
    })
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      // A younger one may belong to another site.
      if (OUR_DRAFT.test(name) && (await stat(path)).mtimeMs < Date.now() - DAY_MS) await rm(path)
    }
  },
  list: (folder) => readdir(folder).catch(() => []),
  remove: (path) => rm(path),
  inside: join,
}
