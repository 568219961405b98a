/** The programs of a cluster, in Debian's packages. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findPostgres } from '../support/postgres-cluster.ts'

/** Program → package. The client for etcd's v2 API is a Python library. */
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  'redis-server': 'redis-server',
} as const

export type Program = keyof typeof PACKAGES

/** Where a program is. Some are only in root's PATH. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function missingPackages(): string[] {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !findProgram(program))
    .map(([, name]) => name as string)
  if (!findPostgres()) missing.push('postgresql')
  const python = spawnSync('/usr/bin/python3', ['-c', 'import etcd'])
  if (python.status !== 0) missing.push('python3-etcd')
  return missing
}

/**
 * Installs what's missing, if we're root on Debian.
 * @throws Error with a sentence that names what's missing
 */
export function requirePackages() {
  const missing = missingPackages()
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log(`Installing ${missing.join(', ')} …`)
    const [program = '', ...words] = command.split(' ')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env })
    if (missingPackages().length === 0) return
  }
  throw new Error(`Not here: ${missing.join(', ')}. On Debian, as root: ${command}`)
}
