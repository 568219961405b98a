/** The built site on a clock that the test moves, and the folders that a thief copies. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { embeddedFolder, openEmbedded } from '#app/platform/database/embedded-postgres.server.ts'
import { startSite } from '../support/server.ts'

const CLOCK = fileURLToPath(new URL('moved-clock.mjs', import.meta.url))

/** Runs any statement in the stolen or the running database. */
export type Ask = <Row>(statement: string) => Promise<Row[]>

export interface MovedSite {
  url: string
  secretKey: string
  /** Where its emails, its keys and its database are. */
  dataDir: string
  now(): number
  /** Moves the clock of the site and of its database. */
  moveTo(moment: number): Promise<void>
  /** Waits until everything due by the moved clock is done. */
  nightIsOver(moment: number): Promise<void>
  /** Runs what a fault of the site would write: a planted leak. */
  plant(statements: string): Promise<void>
  /** What a thief gets at this moment: an open copy, and the folders with the database's files. */
  steal<Result>(work: (ask: Ask, folders: string[]) => Promise<Result>): Promise<Result>
  logs(): string
  close(): Promise<void>
}

export async function openMovedSite(startsAt: number): Promise<MovedSite> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.reverse()) await step().catch(() => {})
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kettle-unmask-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    const database = await openMovedDatabase(dataDir)
    undo.push(database.close)
    await database.moveTo(startsAt)
    const secretKey = randomBytes(32).toString('hex')
    const socket = join(folder, 'clock')
    let log = ''
    const env = {
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
      // The test keeps it open, so the site only connects.
      DATABASE_URL: database.url,
    }
    const site = await startSite({ env })
    undo.push(site.kill)
    site.heed((line) => {
      log += `${line}\n`
    })
    const clock = connect(socket)
    undo.push(async () => clock.destroy())
    await once(clock, 'connect')
    let ahead = startsAt - Date.now()
    return {
      now: () => Date.now() + ahead,
      url: site.url,
      secretKey,
      dataDir,
      async moveTo(moment) {
        ahead = moment - Date.now()
        clock.write(`${moment}\n`)
        await once(clock, 'data')
        await database.moveTo(moment)
      },
      nightIsOver: (moment) => nightIsOver(database.ask, moment),
      plant: async (statements) => void (await database.ask(statements)),
      steal: database.steal,
      logs: () => log,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The database of DATA_DIR as the site opens it. Its own clock can't be moved, so a function of the same name hides the
 * built-in one.
 */
async function openMovedDatabase(dataDir: string) {
  const { url, leave } = await openEmbedded(dataDir)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask: Ask = async (statement) => {
    const result = await client.query(statement)
    return (Array.isArray(result) ? [] : result.rows) as never
  }
  await client.query(CLOCK_OF_POSTGRES)
  await client.query('set search_path = public, pg_catalog')
  return {
    url,
    ask,
    async moveTo(moment: number) {
      await client.query('update moved.clock set ahead = $1::float8 - $2', [moment, Date.now()])
    },
    steal: async <Result>(work: (ask: Ask, folders: string[]) => Promise<Result>) => {
      // PostgreSQL makes one every five minutes, by a clock that isn't moved.
      await client.query('checkpoint')
      return work(ask, [embeddedFolder(dataDir)])
    },
    async close() {
      await client.end()
      await leave()
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
 * Recurring jobs are done when none is due: then the queue is empty, too. The nightly run isn't due while it runs, and
 * records when it's done.
 */
async function nightIsOver(ask: Ask, moment: number) {
  const now = new Date(moment).toISOString()
  const due = `select (select count(*)::int from job_queue
                        where given_up is null and due_at <= '${now}') as n,
                      exists (select from nightly_run
                               where done_until = '${now.slice(0, 10)}') as "isNightDone"`
  for (;;) {
    const [row] = await ask<{ n: number; isNightDone: boolean }>(due)
    if (row?.n === 0 && row.isNightDone) return
    await wait(250)
  }
}
