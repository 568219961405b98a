/**
 * What deploy/cluster/ describes, on this machine: three etcd members, three PostgreSQL with their Patroni, HAProxy,
 * PgBouncer, Redis, two site processes (one directly through HAProxy, one through PgBouncer), nginx.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { newSigningKey } from '../support/auth-site.ts'
import { findPostgres, freePort } from '../support/postgres-cluster.ts'
import { findProgram, type Program } from './packages.ts'
import { createProcesses, type Running } from './processes.ts'

const HOST = '127.0.0.1'
const templates = new URL('../../deploy/cluster/', import.meta.url)
const site = fileURLToPath(new URL('../../dist/server/server.js', import.meta.url))
const START_PATIENCE_MS = 120_000

/** A database machine: PostgreSQL and its Patroni. */
export interface Node {
  name: string
  /** Sends SIGKILL to both, and to everything they started. */
  kill(): Promise<void>
  /** Starts it again, as the machine's own service manager would. */
  startAgain(): void
  /** Patroni stops while PostgreSQL keeps running, as with a hung disk or a paused virtual machine. */
  freeze(milliseconds: number): Promise<void>
}

export interface Cluster {
  /** nginx, which is where people go. */
  url: string
  /** The site processes, without nginx. */
  sites: { name: string; url: string; running: Running }[]
  folder: string
  /** The node that's the primary, according to Patroni. */
  primary(): Promise<Node | undefined>
  /** Waits until every node takes part and one of them has everything that was acknowledged. */
  settled(): Promise<void>
  /** Runs a statement on the primary, as the superuser. */
  ask<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** Fills in `${NAME}` in a template. nginx's own `$names` are in lowercase. */
function filled(template: string, values: Record<string, string | number>): string {
  const text = readFileSync(new URL(template, templates), 'utf8')
  return text.replace(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} wants ${name}`)
    return String(value)
  })
}

const settingsIn = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

export async function startCluster(tell: (text: string) => void = () => {}): Promise<Cluster> {
  const processes = await createProcesses()
  try {
    return await build(processes, tell)
  } catch (error) {
    const logs = readdirSync(processes.folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => `--- ${name}\n${tailOf(join(processes.folder, name))}`)
    await processes.stop()
    throw new Error(`${(error as Error).message}\n${logs.join('\n')}`)
  }
}

const tailOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(-15).join('\n')

async function build(
  processes: Awaited<ReturnType<typeof createProcesses>>,
  tell: (text: string) => void,
): Promise<Cluster> {
  const { folder, folderOf, write, start } = processes
  const program = (name: Program) => findProgram(name) ?? name
  const secret = () => randomBytes(16).toString('hex')
  const passwords = { POSTGRES_PASSWORD: secret(), KETTLE_PASSWORD: secret() }

  const members = await Promise.all(
    ['etcd-1', 'etcd-2', 'etcd-3'].map(async (name) => ({
      name,
      port: await freePort(),
      peerPort: await freePort(),
    })),
  )
  for (const { name, port, peerPort } of members) {
    const values = {
      ETCD: name,
      ETCD_FOLDER: folderOf(name),
      ETCD_HOST: HOST,
      ETCD_PORT: port,
      ETCD_PEER_PORT: peerPort,
      ETCD_MEMBERS: members
        .map((member) => `${member.name}=http://${HOST}:${member.peerPort}`)
        .join(','),
    }
    write(`${name}/etcd.conf.yml`, filled('etcd.conf.yml', values))
    start(name, [program('etcd'), '--config-file', join(folder, name, 'etcd.conf.yml')])
  }
  for (const { name, port } of members)
    await until(`${name} is well`, async () => (await statusOf(port, '/health')) === 200)
  tell('etcd: three members')

  const machines = await Promise.all(
    ['node-1', 'node-2', 'node-3'].map(async (name) => ({
      name,
      port: await freePort(),
      restPort: await freePort(),
    })),
  )
  const nodes = machines.map(({ name, port, restPort }) => {
    const values = {
      ...passwords,
      NODE: name,
      NODE_HOST: HOST,
      NODE_PORT: port,
      REST_PORT: restPort,
      NODE_FOLDER: folderOf(name),
      NETWORK: `${HOST}/32`,
      ETCD_HOSTS: members.map((member) => `${HOST}:${member.port}`).join(','),
      POSTGRES_PROGRAMS: findPostgres() ?? '',
      // The watchdog would restart this machine.
      WATCHDOG: 'off',
    }
    write(`${name}/patroni.yml`, filled('patroni.yml', values))
    const startAgain = () => start(name, [program('patroni'), join(folder, name, 'patroni.yml')])
    let patroni = startAgain()
    return {
      name,
      port,
      restPort,
      startAgain() {
        patroni = startAgain()
      },
      async kill() {
        // Patroni first, because it would start PostgreSQL again.
        patroni.signal('SIGKILL')
        killPostgres(join(folder, name, 'data'))
        await patroni.kill()
      },
      async freeze(milliseconds: number) {
        patroni.signal('SIGSTOP')
        await pause(milliseconds)
        patroni.signal('SIGCONT')
      },
    }
  })
  const primary = async () => {
    const said = await Promise.all(nodes.map((node) => statusOf(node.restPort, '/primary')))
    return nodes.find((_, n) => said[n] === 200)
  }
  const ask = async <Row extends pg.QueryResultRow>(statement: string, values?: unknown[]) => {
    const node = await primary()
    if (!node) throw new Error('There is no primary')
    return rowsOf<Row>(node.port, passwords.POSTGRES_PASSWORD, statement, values)
  }
  const settled = () =>
    until('every node takes part', async () => {
      const rows = await ask<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where state = 'streaming'`,
      )
      return rows.length === 2 && rows.some((row) => row.sync_state === 'sync')
    })
  await settled()
  tell('PostgreSQL: a primary, a synchronous standby, another standby')
  for (const statement of filled('kettle.sql', passwords).split(/;\n/)) {
    if (statement.trim()) await ask(statement)
  }

  const ports = {
    PROXY_HOST: HOST,
    PRIMARY_PORT: await freePort(),
    REPLICA_PORT: await freePort(),
    POOLER_PORT: await freePort(),
    REDIS_HOST: HOST,
    REDIS_PORT: await freePort(),
    NGINX_HOST: HOST,
    NGINX_PORT: await freePort(),
    SITE_1_HOST: HOST,
    SITE_1_PORT: await freePort(),
    SITE_2_HOST: HOST,
    SITE_2_PORT: await freePort(),
  }
  const nodePorts = Object.fromEntries(
    nodes.flatMap(({ port, restPort }, n) => [
      [`NODE_${n + 1}_HOST`, HOST],
      [`NODE_${n + 1}_PORT`, port],
      [`NODE_${n + 1}_REST_PORT`, restPort],
    ]),
  )
  folderOf('haproxy')
  write('haproxy/haproxy.cfg', filled('haproxy.cfg', { ...ports, ...nodePorts }))
  start('haproxy', [program('haproxy'), '-db', '-f', join(folder, 'haproxy/haproxy.cfg')])

  const pooler = folderOf('pgbouncer')
  write('pgbouncer/userlist.txt', `"kettle" "${passwords.KETTLE_PASSWORD}"\n`)
  write('pgbouncer/pgbouncer.ini', filled('pgbouncer.ini', { ...ports, POOLER_FOLDER: pooler }))
  start('pgbouncer', [program('pgbouncer'), join(pooler, 'pgbouncer.ini')])

  folderOf('redis')
  write('redis/redis.conf', filled('redis.conf', ports))
  start('redis', [program('redis-server'), join(folder, 'redis/redis.conf')])

  const url = `http://${HOST}:${ports.NGINX_PORT}`
  const shared = {
    ...ports,
    ...passwords,
    SITE_URL: url,
  }
  const secrets = {
    SECRET_KEY: randomBytes(32).toString('hex'),
    AUTH_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
  }
  const sites: Cluster['sites'] = []
  for (const [name, port, through] of [
    ['site-1', ports.SITE_1_PORT, { DATABASE_PORT: ports.PRIMARY_PORT, STATEMENT_NAMES: 'on' }],
    ['site-2', ports.SITE_2_PORT, { DATABASE_PORT: ports.POOLER_PORT, STATEMENT_NAMES: 'off' }],
  ] as const) {
    const env = {
      ...settingsIn(filled('site.env', { ...shared, ...through })),
      ...secrets,
      NODE_ENV: 'production',
      HOST,
      PORT: String(port),
      DATA_DIR: folderOf(name),
      STARTER: 'companies',
      LOGO_SEARCH: 'off',
      // Writers here send more than people do, and don't solve spam checks.
      RATE_LIMITS: 'off',
      PROOF_OF_WORK: '0',
    }
    const running = start(name, [process.execPath, site], { env, isSite: true })
    await until(`${name} is ready`, async () => (await statusOf(port, '/readyz')) === 200)
    sites.push({ name, url: `http://${HOST}:${port}`, running })
  }

  const nginx = folderOf('nginx')
  write('nginx/nginx.conf', filled('nginx.conf', { ...ports, NGINX_FOLDER: nginx }))
  const words = ['-e', 'stderr', '-p', nginx, '-c', join(nginx, 'nginx.conf'), '-g', 'daemon off;']
  start('nginx', [program('nginx'), ...words])
  await until('nginx answers', async () => (await statusOf(ports.NGINX_PORT, '/healthz')) === 200)
  tell('HAProxy, PgBouncer, Redis, two site processes, nginx')
  return { url, sites, folder, primary, settled, ask, stop: processes.stop }
}

/** Kills the postmaster and all its children at once, so none can do anything more. */
function killPostgres(dataFolder: string) {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === postmaster)
  for (const pid of [postmaster, ...children.map(Number)])
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process is gone.
    }
}

function parentOf(pid: string): number | undefined {
  try {
    // The second field is a name in parentheses, which may contain anything.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(fields.split(' ')[1])
  } catch {
    return undefined
  }
}

async function rowsOf<Row extends pg.QueryResultRow>(
  port: number,
  password: string,
  statement: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({
    host: HOST,
    port,
    user: 'postgres',
    password,
    database: /\bfrom (threads|comments|votes)\b/.test(statement) ? 'kettle' : 'postgres',
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
  })
  client.on('error', () => {})
  await client.connect()
  return (await client.query<Row>(statement, values).finally(() => client.end())).rows
}

const statusOf = (port: number, path: string) =>
  fetch(`http://${HOST}:${port}${path}`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ status }) => status,
    () => undefined,
  )

/** @throws Error that names what didn't happen */
export async function until(what: string, look: () => Promise<boolean>) {
  const began = Date.now()
  let failure: unknown
  while (Date.now() - began < START_PATIENCE_MS) {
    const isSo = await look().catch((error) => {
      failure = error
      return false
    })
    if (isSo) return
    await pause(200)
  }
  throw new Error(`Waited ${START_PATIENCE_MS / 1000} s in vain until ${what}. ${failure ?? ''}`)
}
