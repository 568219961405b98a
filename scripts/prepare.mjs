// Gets a fresh or changed copy of the project ready to run: installs packages, builds the site.
// Uses nothing but Node, because it runs before anything is installed.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { compressFiles, digestsOf } from './client-files.mjs'
import { settingsIn } from './settings-file.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether Kettle runs on this Node: package.json's range without the versions that Vite can't use. */
function runsOn(version) {
  const [major, minor] = version.split('.').map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

if (!runsOn(process.versions.node)) {
  console.error(
    `Kettle needs Node 20.19, 22.12 or newer, but this is Node ${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org, then run the command again.',
  )
  process.exit(1)
}

/** Why a preparation failed, in a sentence for the person at the keyboard. It doesn't need a stack. */
export class PreparationFailed extends Error {}

/** How every script reports such a failure. */
export function giveUp(error) {
  console.error(error instanceof PreparationFailed ? error.message : error)
  process.exit(1)
}

/** How commands begin: in the project's folder, with its packages and the built site. */
export async function prepare({ isBuilt = true } = {}) {
  process.chdir(root)
  try {
    await install()
    if (isBuilt) await build()
  } catch (error) {
    giveUp(error)
  }
}

/** The site's own settings. An empty variable hides none. */
export function loadSettings() {
  if (!lstatSync('.env', { throwIfNoEntry: false })) return
  const { settings, problem } = settingsIn(readSettings())
  if (problem) giveUp(new PreparationFailed(problem))
  for (const [name, value] of Object.entries(settings)) process.env[name] ||= value
}

function readSettings() {
  try {
    return readFileSync('.env')
  } catch {
    return giveUp(
      new PreparationFailed('.env isn’t a file that this user can read. chown it, or remove it.'),
    )
  }
}

/** A path on the command line is relative to the caller's folder, although npm runs in the project's. */
export function fromWhereOneStands(words) {
  const here = process.env.INIT_CWD ?? process.cwd()
  const isPath = (word, i) => !/^-|^s3:/.test(word) && words[i - 1] !== '--keep'
  return words.map((word, i) => (isPath(word, i) ? resolve(here, word) : word))
}

const inRoot = (...path) => join(root, ...path)
const stamp = inRoot('dist', '.built')

/** Installs the packages in package-lock.json if any is missing. */
export async function install() {
  if (isInstalled()) return
  await oneAtATime(() => {
    if (isInstalled()) return
    // Not `npm ci`, which refuses a lock without every other system's optional binaries, and a lagging registry leaves
    // those out. This also installs the locked versions, and keeps the lock.
    // --include=dev: with NODE_ENV=production npm would leave out what the build needs.
    const words = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund']
    const began = Date.now()
    process.stdout.write(`Installing packages … `)
    const result = runNpm(words)
    console.log(result.ok ? `done in ${seconds(began)}` : 'failed')
    if (!result.ok)
      throw new PreparationFailed(`${result.output}\nnpm couldn’t install the packages.`)
  })
}

/** Installs what only `folder` needs, exactly as its own lock says. It uses our packages from the folder above. */
export function installApart(folder) {
  if (existsSync(inRoot(folder, 'node_modules', '.package-lock.json'))) return
  const began = Date.now()
  process.stdout.write(`Installing the packages of ${folder} … `)
  const words = ['ci', '--prefix', folder, '--legacy-peer-deps', '--no-audit', '--no-fund']
  const result = runNpm(words)
  console.log(result.ok ? `done in ${seconds(began)}` : 'failed')
  if (!result.ok)
    throw new PreparationFailed(`${result.output}\nnpm couldn’t install the packages.`)
}

function runNpm(words) {
  const npm = process.env.npm_execpath ?? ''
  return npm.endsWith('npm-cli.js')
    ? runQuietly(process.execPath, [npm, ...words])
    : runQuietly('npm', words, { shell: process.platform === 'win32' })
}

/**
 * Compares npm's own list of what's in node_modules with the lock. It compares contents, because a fresh checkout
 * changes every timestamp and would reinstall for nothing. npm writes its list last, so an interrupted installation
 * doesn't count.
 */
function isInstalled() {
  if (!existsSync(inRoot('package-lock.json'))) return existsSync(inRoot('node_modules'))
  const wanted = packagesIn('package-lock.json')
  const present = packagesIn('node_modules', '.package-lock.json')
  const ownOptional = Object.keys(wanted['']?.optionalDependencies ?? {})
  /** PostgreSQL's programs for this system. Dependencies look for their own. */
  const isForHere = (path, { os = [], cpu = [] }) =>
    ownOptional.some((name) => path === `node_modules/${name}`) &&
    os.includes(process.platform) &&
    cpu.includes(process.arch)
  return Object.entries(wanted).every(
    ([path, it]) =>
      path === '' ||
      it.link ||
      present[path]?.version === it.version ||
      // Optional packages for other systems are never there.
      (present[path] === undefined && (it.optional || it.devOptional) && !isForHere(path, it)),
  )
}

function packagesIn(...path) {
  try {
    return JSON.parse(readFileSync(inRoot(...path), 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** Builds dist/client and dist/server if they are missing or older than their sources. */
export async function build({ force = false } = {}) {
  if (!force && isBuilt()) return
  await oneAtATime(() => {
    if (!force && isBuilt()) return
    const sources = fingerprint()
    const began = Date.now()
    // Without the stamp, a build that fails halfway is never taken for a complete one.
    rmSync(stamp, { force: true })
    process.stdout.write('Building the site … ')
    for (const words of [['build'], ['build', '--ssr']]) {
      const vite = [tool('vite', 'vite'), ...words, '--logLevel', 'warn']
      const result = runQuietly(process.execPath, vite, {
        env: { ...process.env, NODE_ENV: 'production' },
      })
      if (!result.ok) {
        console.log('failed')
        throw new PreparationFailed(`${result.output}\nThe site couldn’t be built.`)
      }
    }
    writeBuildInfo(inRoot('dist', 'client'))
    compressFiles(inRoot('dist', 'client'))
    writeFileSync(stamp, sources)
    console.log(`done in ${seconds(began)}`)
  })
}

/**
 * What was built, and when. It doesn't name a commit, because without Git the build would differ, and a name proves
 * nothing that the digests don't. Pages request the time every minute, so that's also in a file of its own.
 */
function writeBuildInfo(client) {
  const now = new Date()
  const time = { buildTime: now.toISOString(), timestamp: now.getTime() }
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const write = (name, info) => writeFileSync(join(client, name), `${JSON.stringify(info)}\n`)
  write('build-info.json', { ...time, version, files: digestsOf(client) })
  write('build-time.json', time)
}

function isBuilt() {
  return (
    existsSync(stamp) &&
    existsSync(inRoot('dist', 'server', 'server.js')) &&
    existsSync(inRoot('dist', 'client', 'build-info.json')) &&
    readFileSync(stamp, 'utf8') === fingerprint()
  )
}

/** A hash of the names and contents of everything that goes into a build. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const path of [
    ...filesUnder('app'),
    ...filesUnder('db'),
    ...filesUnder('public'),
    'package.json',
    'package-lock.json',
    'scripts/prepare.mjs',
    'scripts/client-files.mjs',
    'tsconfig.json',
    'vite.config.ts',
  ]) {
    if (/\.(test|proof|fixture)\.tsx?$/.test(path) || !existsSync(inRoot(path))) continue
    hash
      .update(`${path}\0`)
      .update(readFileSync(inRoot(path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesUnder(folder) {
  if (!existsSync(inRoot(folder))) return []
  return readdirSync(inRoot(folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(inRoot(path)).isFile())
    .sort()
}

/** The script behind a package's command. We run it with this Node, so it doesn't need a shell or PATH. */
export function tool(packageName, command) {
  const folder = inRoot('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

function runQuietly(command, words, options = {}) {
  const result = spawnSync(command, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`
  return { ok: result.status === 0, output: output.trim() }
}

export const seconds = (began) => `${((Date.now() - began) / 1000).toFixed(1)} s`

const LOCK_IS_STALE_AFTER_MS = 15 * 60 * 1000

/**
 * Lets one process prepare at a time. A second one waits, then finds the work done. The lock file appears with its
 * holder's ID already in it (a hard link), so no one ever sees it half-written.
 */
async function oneAtATime(work) {
  mkdirSync(inRoot('dist'), { recursive: true })
  const lock = inRoot('dist', '.lock')
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  let told = false
  try {
    for (;;) {
      try {
        linkSync(mine, lock)
        break
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      if (isStale(lock)) {
        rmSync(lock, { force: true })
        continue
      }
      if (!told) console.log('Waiting for another process to finish preparing the site …')
      told = true
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    try {
      work()
    } finally {
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/** A lock whose holder is gone, or has our ID: a restarted container starts numbering from 1 again. */
function isStale(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LOCK_IS_STALE_AFTER_MS) return true
    const holder = Number(readFileSync(lock, 'utf8'))
    if (holder === process.pid) return true
    process.kill(holder, 0)
    return false
  } catch (error) {
    // ENOENT means it was released in the meantime, EPERM that it's alive and another user's.
    return error.code === 'ESRCH'
  }
}
