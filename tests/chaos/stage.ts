/** Two processes of the built site, each behind a bad network, on one PostgreSQL and one mail server. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { createSecrets, type Secrets } from '#app/platform/database/secrets.server.ts'
import { newSigningKey } from '../support/auth-site.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { startPostgres } from '../support/postgres-cluster.ts'
import { findProgram, startRedis } from '../support/programs.ts'
import { type Site, startSite } from '../support/server.ts'
import { type BadLine, startBadLine } from './bad-line.ts'
import type { Book } from './book.ts'
import { settlePeople } from './people.ts'
import { type PostgresPower, postgresPower } from './postgres-power.ts'

export interface StagedSite {
  url: string
  /** The bad network between it and PostgreSQL. */
  link: BadLine
  process(): Site
  /** Starts it again at the same address. Resolves when it listens. */
  start(): Promise<void>
}

export interface Stage {
  sites: StagedSite[]
  power: PostgresPower
  mails: MailServer
  /** The bad network between the sites and the mail server. */
  mailLink: BadLine
  /** The bad network between the sites and Redis, if that's installed. */
  redisLink: BadLine | undefined
  secrets: Secrets
  /** PostgreSQL's, without a proxy. */
  databaseUrl: string
  people: Awaited<ReturnType<typeof settlePeople>>
  /** Ends everything, and returns each process's last output. */
  close(): Promise<void>
}

const SITES = 2

export async function setStage(book: Book): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = []
  let isClosed = false
  const close = async () => {
    isClosed = true
    for (const step of undo.reverse()) await step().catch(() => {})
  }
  try {
    return await set()
  } catch (error) {
    await close()
    throw error
  }

  async function set(): Promise<Stage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'kettle-chaos-'))
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    // Committed means on the disk, as in production.
    const cluster = await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } })
    undo.push(cluster.stop)
    const mails = await startMailServer()
    undo.push(mails.stop)
    const mailLink = await startBadLine({ host: '127.0.0.1', port: mails.port })
    undo.push(mailLink.stop)
    const redis = findProgram('redis-server') ? await startRedis() : undefined
    if (redis) undo.push(redis.stop)
    const redisLink = redis && (await startBadLine({ host: '127.0.0.1', port: redis.port }))
    if (redisLink) undo.push(redisLink.stop)
    const key = await newSigningKey()
    const secretKey = randomBytes(32).toString('hex')
    const env = {
      SECRET_KEY: secretKey,
      SITE_URL: 'http://kettle.example',
      AUTH_SIGNING_KEYS: JSON.stringify([key]),
      RATE_LIMITS: 'off',
      PROOF_OF_WORK: '0',
      STARTER: 'companies',
      LOGO_SEARCH: 'off',
      LOG_LEVEL: 'warn',
      // Trusts the address that clients claim, so each client can be its own network.
      TRUST_PROXY: '1',
      SMTP_URL: `smtp://127.0.0.1:${mailLink.port}`,
      AUTH_AUTOCONFIRM: 'true',
      ...(redisLink && { REDIS_URL: `redis://127.0.0.1:${redisLink.port}` }),
    }
    const sites = await Promise.all(
      Array.from({ length: SITES }, async (_, n): Promise<StagedSite> => {
        const link = await startBadLine({ host: '127.0.0.1', port: portOf(cluster.url) })
        undo.push(link.stop)
        const databaseUrl = Object.assign(new URL(cluster.url), { port: String(link.port) }).href
        const settings = {
          ...env,
          DATA_DIR: join(dataDir, 'AB'[n] ?? ''),
          DATABASE_URL: databaseUrl,
        }
        let running = await begin(settings)
        undo.push(() => running.kill())
        const { url } = running
        async function begin(settings: Record<string, string>) {
          const site = await startSite({ env: settings })
          site.ended.then((how) => {
            const last = site.logs().trim().split('\n').slice(-15).join('\n')
            if (!site.isWanted())
              book.find(`Process ${'AB'[n]} ended by itself (${how.join(' ')}):\n${last}`)
          })
          site.heed((line) => {
            const complaint = complaintAboutLine(line)
            if (complaint) book.find(complaint)
          })
          return site
        }
        return {
          url,
          link,
          process: () => running,
          async start() {
            const env = { ...settings, PORT: new URL(url).port }
            for (let isUp = false; !isUp && !isClosed; )
              try {
                running = await begin(env)
                isUp = true
              } catch (error) {
                // Starts it again, as a service manager would.
                const [first, ...last] = (error as Error).message.trim().split('\n')
                book.find(`Process ${'AB'[n]}: ${first} ${last.at(-1)}`)
              }
          },
        }
      }),
    )
    const url = sites[0]?.url ?? ''
    const people = await settlePeople(url, key, env.SITE_URL)
    const db = await openPostgres({ url: cluster.url, connections: 1 })
    await db.query(sql`insert into admin_users (id) values (${people.moderator.id})`)
    await db.close()
    return {
      sites,
      power: await postgresPower(cluster.url),
      mails,
      mailLink,
      redisLink,
      secrets: createSecrets(secretKey),
      databaseUrl: cluster.url,
      people,
      close,
    }
  }
}

const portOf = (url: string) => Number(new URL(url).port)

const ERROR_LEVEL = 50

/** A line at level error with a stack, which a missing database doesn't explain. */
export function complaintAboutLine(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { level, msg, err, route } = JSON.parse(line)
    const at: string[] = err?.at ?? (err?.stack ? String(err.stack).split('\n').slice(1) : [])
    if (level < ERROR_LEVEL || at.length === 0) return undefined
    const [first] = at.map((frame) => frame.trim())
    return `The log has a stack: "${msg}" ${route ?? ''} ${err.type ?? err.name} ${err.code ?? ''} ${first}`
  } catch {
    return undefined
  }
}
