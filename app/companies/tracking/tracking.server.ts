/** Counts views of company pages and clicks on cards, without slowing requests down. S18. */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { requestReader } from '#app/api/request.server.ts'
import { Uuid } from '#app/api/schemas.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { HOUR_MS } from '#app/platform/days.server.ts'
import {
  createNetworkLimit,
  createRateLimit,
  networkOf,
} from '#app/platform/http/rate-limits.server.ts'
import { createDayPseudonyms, createVisitorMarks } from './visitor-marks.server.ts'
import { createWriteBuffer } from './write-buffer.server.ts'

const MINUTE_MS = 60_000
/** How many of the hour's views we remember. Beyond this, we drop the oldest. */
const SEEN_MAX = 200_000
/** Per person or network. No one opens more companies than this. */
const VIEWS = { uses: 120, seconds: 60 }
const CLICKS = { uses: 120, seconds: 60 }

export type Tracking = ReturnType<typeof createTracking>

export function createTracking(
  base: Pick<ServerContext, 'db' | 'now' | 'secrets'>,
  settings: { hasRateLimits: boolean; onFailure?: (error: unknown) => void },
) {
  const { db, now } = base
  const views = createWriteBuffer<string>((ids) => writeViews(db, ids), settings.onFailure)
  const clicks = createWriteBuffer<Click>(async (batch) => {
    await writeClicks(db, batch)
  }, settings.onFailure)
  const visitors = createVisitorMarks(base, settings.onFailure)
  const isOn = settings.hasRateLimits
  const limits = {
    views: createNetworkLimit({ name: 'views', ...VIEWS, isOn }),
    clicks: createRateLimit({ name: 'clicks', ...CLICKS, isOn }),
  }
  const pseudonymOfToday = createDayPseudonyms()
  // Uses the app's clock, which tests freeze.
  const seen = new LRUCache<string, true>({
    max: SEEN_MAX,
    ttl: HOUR_MS,
    perf: { now: () => now().getTime() },
    ttlResolution: 0,
  })

  return {
    /** Once per hour and person. @returns whether it counted */
    async countView({ actor, network }: Ctx, companyId: string, userAgent: string | undefined) {
      if (may.seeViewCounts(actor) || isObviousBot(userAgent)) return false
      // Visitors can make up anonymous ids, but not networks.
      const personOrNetwork = actor.account ? (actor.authorKey ?? network) : network
      if ((await limits.views.use(personOrNetwork)) !== undefined) return false
      await visitors.add(personOrNetwork)
      const view = `${personOrNetwork} ${companyId}`
      if (seen.has(view)) return false
      seen.set(view, true)
      views.add(companyId)
      return true
    },
    /** Counts members' clicks only: Spec §6, §8. */
    async countClick({ actor }: Ctx, companyId: string) {
      if (!actor.account) return false
      if ((await limits.clicks.use(actor.authorKey ?? '')) !== undefined) return false
      const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS
      clicks.add({
        companyId,
        userId: await pseudonymOfToday(base, actor.account.id),
        at: new Date(minute).toISOString(),
      })
      return true
    },
    /** Marks your own clicks of today as "me". */
    pseudonymOfToday: (accountId: string) => pseudonymOfToday(base, accountId),
    start() {
      views.start()
      clicks.start()
      visitors.start()
    },
    flush: () => Promise.all([views.flush(), clicks.flush(), visitors.flush()]),
    stop: () => Promise.all([views.stop(), clicks.stop(), visitors.stop()]),
  }
}

const viewReader = requestReader({ body: z.object({ companyId: Uuid }) })

/** Mounts `POST /api/v1/views`, which checks the user agent and doesn't store it. */
export function registerViews(
  app: FastifyInstance,
  tracking: Tracking,
  contextOf: (identity: RequestIdentity) => Promise<Ctx>,
) {
  app.route({
    method: 'POST',
    url: '/api/v1/views',
    schema: {
      summary: 'Count a view of a company’s page, once per hour and person, without saying who',
      tags: ['views'],
      ...viewReader.schema,
      response: { 202: z.object({ isCounted: z.boolean() }) },
    },
    config: { isOpen: true },
    validatorCompiler: viewReader.validatorCompiler,
    handler: async (request, reply) => {
      const { companyId } = viewReader.read(request).body
      const { headers, ip } = request
      const ctx = await contextOf({ authorization: headers.authorization, network: networkOf(ip) })
      reply.code(202).header('cache-control', 'no-store')
      return { isCounted: await tracking.countView(ctx, companyId, headers['user-agent']) }
    },
  })
}

/** Bots that say so. */
const BOT_USER_AGENT =
  /bot\b|bots?[/;_-]|crawl|spider|slurp|preview|headless|lighthouse|monitor|uptime|scan|fetch|curl|wget|python|java\/|go-http|okhttp|axios|libwww|httpclient|facebookexternalhit|embedly|whatsapp/i

const isObviousBot = (userAgent: string | undefined) => !userAgent || BOT_USER_AGENT.test(userAgent)

export async function writeViews(db: Database, companyIds: string[]) {
  const counts = new Map<string, number>()
  for (const id of companyIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  // Locks in id order, so two processes can't deadlock.
  await db.query(sql`
    with seen as (
      select * from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[])
               as seen(company_id, n)),
    locked as materialized (
      select company_id from company_stats where company_id in (select company_id from seen)
       order by company_id for no key update)
    update company_stats set views = views + seen.n
      from seen join locked using (company_id)
     where company_stats.company_id = locked.company_id`)
}

interface Click {
  companyId: string
  /** A pseudonym of the day. */
  userId: string
  /** The minute, as ISO text. */
  at: string
}

/** Skips deleted companies. Writes in random order, so row order reveals nothing. */
export const writeClicks = (db: Database, clicks: Click[]) =>
  db.query(sql`
    insert into company_interactions (company_id, company_name, user_id, created_at)
    select company.id, company.name, click."userId", click.at
      from json_to_recordset(${JSON.stringify(clicks)}::json)
             as click("companyId" uuid, "userId" text, at timestamptz)
      join companies company on company.id = click."companyId"
     order by random()`)
