/** What a benchmark runs in: databases with the data set, sites on them, browsers. Everything ends with the benchmark. */
import { Agent } from 'node:http'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import type { OpenDatabase } from '../app/platform/database/database.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createQueue } from '../app/platform/queue/queue.server.ts'
import { launchChromium } from '../tests/support/chromium.ts'
import { databaseAt } from '../tests/support/postgres-cluster.ts'
import { amountsOf, fill, type Part, SECRET_KEY, TABLES } from './data/fill.ts'
import type { Figure } from './measure.ts'
import { oneCaller, type Program, startBare, startSite } from './site.ts'

/** A size that's enough for a thread that everyone takes part in, and fast to generate. */
export const SMALL = 0.01
/** 2,000 threads from one month. */
export const YOUNG = 0.001

export interface Entry {
  name: string
  /** What this measures, for the usage text. */
  says: string
  /** Whether `--short` includes it. */
  isShort?: boolean
  run(bench: Bench): Promise<Figure[]>
}

export interface World extends ReturnType<typeof amountsOf> {
  url: string
  client: pg.Client
  db: OpenDatabase
  /** A visitor's context. */
  ctx: Ctx
}

export class Bench {
  readonly #closing: (() => unknown)[] = []

  constructor(
    /** How large the large data set is. */
    readonly size: number,
    readonly seed: number,
    readonly server: () => Promise<string>,
  ) {}

  /**
   * The data set in a certain size, with the parts it needs, in memory. Its database stays, unless it has its own name.
   */
  async world(
    parts: Part[],
    size = this.size,
    { ownName, commentsEach }: { ownName?: string; commentsEach?: number } = {},
  ): Promise<World> {
    const server = await this.server()
    const usual = ['kettle_bench', size, commentsEach].filter(Boolean).join('_').replace('.', '_')
    const name = ownName ?? usual
    const url = databaseAt(server, name)
    const { rows } = await ask(server, 'select from pg_database where datname = $1', [name])
    if (rows.length === 0) await ask(server, `create database ${name}`)
    if (ownName) this.later(() => ask(server, `drop database ${name} with (force)`))
    const all = amountsOf(size)
    const wanted = Object.fromEntries(parts.map((part) => [part, all[part]]))
    const amounts = { companies: all.companies, days: all.days, commentsEach, ...wanted }
    await fill({ url, amounts, seed: this.seed })
    const client = new pg.Client({ connectionString: url, application_name: 'bench' })
    await client.connect()
    this.later(() => client.end())
    await warm(client, ['companies', ...parts])
    const db = await openPostgres({ url, connections: ownName ? 10 : 4 })
    this.later(() => db.close())
    const ctx: Ctx = {
      db,
      events: [],
      now: () => new Date(),
      actor: visitor,
      network: '127.0.0.1',
      secrets: createSecrets(SECRET_KEY),
      queue: createQueue(db),
    }
    return { ...all, url, client, db, ctx }
  }

  /** The built site on a data set, or on its embedded database with made-up people. */
  async site(world?: World, env: Record<string, string> = {}): Promise<Program> {
    const where: Record<string, string> = world
      ? { DATABASE_URL: world.url, STARTER: 'none' }
      : { STARTER: 'demo' }
    const site = await startSite({ ...where, ...env })
    this.later(site.stop)
    return site
  }

  async bare({ url }: World, env: Record<string, string> = {}): Promise<Program> {
    const bare = await startBare({ DATABASE_URL: url, ...env })
    this.later(bare.stop)
    return bare
  }

  async browser(): Promise<Browser> {
    const browser = await launchChromium()
    this.later(() => browser.close())
    return browser
  }

  agent(connections?: number): Agent {
    const agent = connections
      ? new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
      : oneCaller()
    this.later(() => agent.destroy())
    return agent
  }

  /** What to do when the benchmark ends. */
  later(close: () => unknown) {
    this.#closing.push(close)
  }

  async close() {
    while (this.#closing.length > 0) await this.#closing.pop()?.()
  }
}

/** Runs one statement, on its own connection. */
async function ask(url: string, statement: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement, values)
  } finally {
    await client.end()
  }
}

/**
 * Reads the tables into memory for each benchmark, because a live site's are there, and virtual machines give back memory
 * that no one has read for a few minutes. It does so twice, because PostgreSQL often keeps earlier data in memory until it
 * needs the space.
 */
async function warm(client: pg.Client, parts: Part[]) {
  const tables = parts.flatMap((part) => TABLES[part])
  try {
    await client.query('create extension if not exists pg_prewarm')
    for (let reading = 0; reading < 2; reading++)
      await client.query(
        `select sum(pg_prewarm(oid)) from pg_class
          where oid = any ($1::regclass[]) or oid in
                (select indexrelid from pg_index where indrelid = any ($1::regclass[])) or oid in
                (select reltoastrelid from pg_class where oid = any ($1::regclass[]) and reltoastrelid <> 0)`,
        [tables],
      )
  } catch (error) {
    console.error('The caches are cold; to read the database needs a superuser:', error)
  }
}

/** Rolls back everything that the work wrote. */
export async function rolledBack<Result>(ctx: Ctx, work: (ctx: Ctx) => Promise<Result>) {
  const undo = new Error('rolled back on purpose')
  let result: Result | undefined
  await ctx.db
    .transaction(async (db) => {
      result = await work({ ...ctx, db })
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return result as Result
}
