/** The built site on a clock that the harness moves, on either engine, and the folders that a thief copies. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openPglite } from '../../app/server/pglite.server.ts'
import { type SiteProcess, startSiteProcess } from '../chaos/site-process.ts'
import { startPostgres } from '../support/postgres-cluster.ts'

export type Engine = 'pglite' | 'postgres'

const CLOCK = fileURLToPath(new URL('moved-clock.mjs', import.meta.url))
const LATEST_MS = 60_000
const COPIES_MAX = 20
/** Within this the site looks at its queue by itself. */
const POLLED_MS = 4_500

/** Asks the stolen or the running database whatever it likes. */
export type Ask = <Row>(statement: string) => Promise<Row[]>

export interface MovedSite {
  engine: Engine
  url: string
  secretKey: string
  /** Where its mails, its keys and, embedded, its database lie. */
  dataDir: string
  /** Moves the clock of the site and of its database. */
  moveTo(moment: number): Promise<void>
  /** Waits until what is due by the moved clock is done. */
  nightIsOver(moment: number): Promise<void>
  /** For what a fault of the site would write: a planted leak. */
  plant(statements: string): Promise<void>
  /** What a thief gets at this moment: an open copy, and the folders with the database's files. */
  steal<Result>(work: (ask: Ask, folders: string[]) => Promise<Result>): Promise<Result>
  logs(): string
  close(): Promise<void>
}

export async function openMovedSite(engine: Engine, startsAt: number): Promise<MovedSite> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.reverse()) await step().catch(() => {})
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kettle-unmask-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    const database = engine === 'postgres' ? await openServer() : undefined
    if (database) undo.push(database.close)
    await database?.moveTo(startsAt)
    const secretKey = randomBytes(32).toString('hex')
    const socket = join(folder, 'clock')
    let log = ''
    const site = await startSiteProcess({
      NODE_OPTIONS: `--import=${CLOCK}`,
      CLOCK_SOCKET: socket,
      CLOCK_STARTS_AT: String(startsAt),
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      STARTER: 'companies',
      ENABLE_JOBS: 'true',
      RATE_LIMITS: 'off',
      PROOF_OF_WORK: '0',
      LOGO_SEARCH: 'off',
      AUTH_AUTOCONFIRM: 'true',
      RATING_CREDENTIALS: 'on',
      ...(database && { DATABASE_URL: database.url }),
    })
    undo.push(() => end(site))
    site.heed((line) => {
      log += `${line}\n`
    })
    const clock = connect(socket)
    undo.push(async () => clock.destroy())
    await once(clock, 'connect')
    return {
      engine,
      url: site.url,
      secretKey,
      dataDir,
      async moveTo(moment) {
        clock.write(`${moment}\n`)
        await once(clock, 'data')
        await database?.moveTo(moment)
      },
      async nightIsOver(moment) {
        // A look at the embedded one copies it, so there is one when it may well be done.
        if (!database) await wait(POLLED_MS)
        await nightIsOver(database ? database.ask : stealing(dataDir), moment)
      },
      async plant(statements) {
        if (!database)
          throw new Error('The embedded engine has one connection: plant on PostgreSQL')
        await database.ask(statements)
      },
      steal: (work) => (database ? database.steal(work) : stealFolder(dataDir, work)),
      logs: () => log,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function end(site: SiteProcess) {
  await site.kill()
}

/**
 * A PostgreSQL as a distribution sets it up, but for what operations asks for and `doctor` looks at: nothing
 * that makes tests faster may make the thief's work harder. Its own clock cannot be moved, so its database has
 * one of its own name before the built-in one.
 */
async function openServer() {
  const cluster = await startPostgres({
    settings: {
      full_page_writes: 'on',
      synchronous_commit: 'on',
      max_connections: 40,
      wal_recycle: 'off',
    },
  })
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  const ask: Ask = async (statement) => {
    const result = await client.query(statement)
    return (Array.isArray(result) ? [] : result.rows) as never
  }
  await client.query(CLOCK_OF_POSTGRES)
  await client.query('set search_path = public, pg_catalog')
  const [{ data_directory: files = '' } = {}] = await ask<{ data_directory: string }>(
    'show data_directory',
  )
  return {
    url: cluster.url,
    ask,
    async moveTo(moment: number) {
      await client.query('update moved.clock set ahead = $1::float8 - $2', [moment, Date.now()])
    },
    steal: async <Result>(work: (ask: Ask, folders: string[]) => Promise<Result>) => {
      // It makes one every five minutes, by a clock that is not moved.
      await client.query('checkpoint')
      return work(ask, [files])
    },
    async close() {
      await client.end()
      await cluster.stop()
    },
  }
}

const CLOCK_OF_POSTGRES = `
  create schema moved;
  create unlogged table moved.clock (ahead float8 not null);
  insert into moved.clock values (0);
  create function public.statement_timestamp() returns timestamptz language sql stable as
    $$ select pg_catalog.statement_timestamp() + make_interval(secs => ahead / 1000)
         from moved.clock $$;
  create function public.now() returns timestamptz language sql stable as
    $$ select public.statement_timestamp() $$;
  alter database postgres set search_path = public, pg_catalog`

/**
 * What comes round is done when none of it is due: then the queue is empty, too. The nightly run is not due
 * while it runs, and says itself when it is done.
 */
async function nightIsOver(ask: Ask, moment: number) {
  const latest = performance.now() + LATEST_MS
  const now = new Date(moment).toISOString()
  const due = `select (select count(*)::int from job_queue
                        where given_up is null and due_at <= '${now}') as n,
                      exists (select from nightly_run
                               where done_until = '${now.slice(0, 10)}') as "isNightDone"`
  for (;;) {
    const [row] = await ask<{ n: number; isNightDone: boolean }>(due)
    if (row?.n === 0 && row.isNightDone) return
    if (performance.now() > latest) throw new Error(`The night is not over: ${JSON.stringify(row)}`)
    await wait(250)
  }
}

/** The embedded engine is the site's alone: each question goes to a fresh copy of its files. */
const stealing =
  (dataDir: string): Ask =>
  (statement) =>
    stealFolder(dataDir, (ask) => ask(statement))

/** A table that is written anew takes its old files away: whoever copies meanwhile begins again. */
async function copyWhole(from: string, to: string) {
  for (let tried = 1; ; tried++)
    try {
      return await cp(from, to, { recursive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tried === COPIES_MAX) throw error
      await rm(to, { recursive: true, force: true })
    }
}

/**
 * Copied while it is open, as a thief or a backup program would; recovery makes it whole. The bytes are
 * those before that and after it.
 */
async function stealFolder<Result>(
  dataDir: string,
  work: (ask: Ask, folders: string[]) => Promise<Result>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-stolen-'))
  try {
    const files = join(folder, 'as-found')
    await copyWhole(join(dataDir, 'pg'), files)
    await mkdir(join(folder, 'opened'))
    await cp(files, join(folder, 'opened', 'pg'), { recursive: true })
    const database = await openPglite({ dataDir: join(folder, 'opened') })
    try {
      const ask: Ask = (text) => database.query({ text, values: [] } as never)
      // The site makes one every ten minutes, by a timer that is not moved.
      await ask('checkpoint')
      return await work(ask, [files, join(folder, 'opened', 'pg')])
    } finally {
      await database.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
