import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { embeddedFolder } from '../database/embedded-postgres.server.ts'
import { projectFolder } from '../folders.server.ts'
import { readBackup } from './backup-file.server.ts'
import type { Config } from './config.server.ts'
import { type Finding, findingsAbout } from './doctor.server.ts'
import { isOldBackup } from './owner-steps.server.ts'

const SCARCE_BYTES = 2e9
const TOO_LITTLE_BYTES = 2e8

/** Checks space and write access without writing. */
export async function diskFindings({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  const { ok, warning, problem } = findingsAbout('disk')
  const folder = await firstThere(dataDir)
  const isThere = folder === dataDir
  const found: Finding[] = []
  const mayWrite = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite)
    found.push(
      problem(
        `${isThere ? 'DATA_DIR' : 'The folder above DATA_DIR'} isn’t writable by this user. chown it, or set DATA_DIR to another folder.`,
      ),
    )
  const { mode } = await stat(folder)
  if (isThere && mode & 0o007) {
    // The embedded database trusts anyone who reaches its socket, so the folder must be closed.
    const sentence = `Other users on this machine can read DATA_DIR: chmod 700 ${dataDir}`
    const holdsAll = await stat(embeddedFolder(dataDir)).catch(() => undefined)
    found.push(holdsAll ? problem(sentence) : warning(sentence))
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const freeSpace = `${(free / 1e9).toFixed(1)} GB free for DATA_DIR`
  if (free < TOO_LITTLE_BYTES)
    found.push(problem(`Only ${freeSpace}. Writes will fail soon. Free up space.`))
  else if (free < SCARCE_BYTES) found.push(warning(`Only ${freeSpace}. Free up space soon.`))
  else if (mayWrite) found.push(ok(`DATA_DIR is writable, with ${freeSpace}.`))
  return found
}

/** The folder, or its nearest existing parent. */
async function firstThere(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    (it) => it.isDirectory(),
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : firstThere(dirname(folder))
}

/**
 * Checks whether the key files exist (if needed) and are private. @param isUsed whether there's a
 * database that only the right key opens. Undefined if unknown
 */
export async function keyFileFindings(
  { dataDir, secretKey, signingKeys }: Pick<Config, 'dataDir' | 'secretKey' | 'signingKeys'>,
  isUsed: boolean | undefined,
): Promise<Finding[]> {
  return [
    ...(await keyFile('secret.key', 'SECRET_KEY', secretKey !== undefined)),
    ...(await keyFile('auth-signing-keys.json', 'AUTH_SIGNING_KEYS', signingKeys !== undefined)),
  ]

  async function keyFile(name: string, setting: string, isSet: boolean): Promise<Finding[]> {
    const { ok, warning, problem, skipped } = findingsAbout('keys')
    const file = await stat(join(dataDir, name)).catch(() => undefined)
    if (isSet && file)
      return [warning(`${setting} is set, so ${name} in DATA_DIR isn’t used. Move it elsewhere.`)]
    if (isSet) return [ok(`${setting} is set.`)]
    if (!file && isUsed && name === 'secret.key')
      return [
        problem(
          'There’s a database but no secret key. Put its secret.key back into DATA_DIR, or set SECRET_KEY. Without the key, we can’t read any email address.',
        ),
      ]
    if (!file && isUsed)
      return [
        warning(
          `${name} isn’t in DATA_DIR. The next start creates one, and everyone has to log in again.`,
        ),
      ]
    if (!file && isUsed === undefined)
      return [skipped('the database doesn’t open.', `Whether ${name} should be in DATA_DIR`)]
    if (!file) return [ok(`The first start creates ${name}.`)]
    if (file.size === 0) return [problem(`${name} is empty. Restore it from a copy.`)]
    if (file.mode & 0o077)
      return [problem(`Other users can read ${name}: chmod 600 ${join(dataDir, name)}`)]
    if (process.getuid && file.uid !== process.getuid() && process.getuid() !== 0)
      return [warning(`${name} belongs to another user. chown it to the user that runs the site.`)]
    return [ok(`${name} exists, and only this user can read it.`)]
  }
}

export async function buildFindings(folder = projectFolder): Promise<Finding[]> {
  const { ok, problem } = findingsAbout('build')
  for (const file of ['dist/server/server.js', 'dist/client/build-info.json'])
    if (!(await stat(join(folder, file)).catch(() => undefined)))
      return [problem(`${file} is missing: npm run build`)]
  return [ok('The site is built.')]
}

/** @param path a backup, or a folder, of which we check the newest backup */
export async function backupFindings(path: string | undefined, now: Date): Promise<Finding[]> {
  const { ok, warning, problem, skipped } = findingsAbout('backup')
  if (path === undefined)
    return [skipped('no file or folder was given: npm run doctor -- --backup PATH')]
  const newest = await newestFile(path)
  if (!newest) return [problem(`There’s no backup at ${path}: npm run backup -- FILE`)]
  const found: Finding[] = []
  if (newest.mode & 0o077)
    found.push(problem(`Other users can read the backup: chmod 600 ${newest.path}`))
  if (isOldBackup(newest.mtimeMs, now))
    found.push(
      warning('The newest backup is more than a day old. Make one every day (docs/operations.md).'),
    )
  try {
    const { tables } = await readBackup(newest.path)
    const rows = tables.reduce((sum, { rows }) => sum + rows, 0)
    found.push(ok(`The newest backup is complete: ${rows} rows.`))
  } catch (error) {
    found.push(problem((error as Error).message))
  }
  return found
}

async function newestFile(path: string) {
  const names = await readdir(path).catch(() => undefined)
  const paths = names
    ? names.filter((name) => !name.startsWith('.')).map((name) => join(path, name))
    : [path]
  let newest: { path: string; mode: number; mtimeMs: number } | undefined
  for (const path of paths) {
    const file = await stat(path).catch(() => undefined)
    if (file?.isFile() && (!newest || file.mtimeMs > newest.mtimeMs))
      newest = { path, mode: file.mode, mtimeMs: file.mtimeMs }
  }
  return newest
}
