import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import type { Guard } from '#app/platform/http/public-fetch.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { conflict, onlyAccepts } from '#app/platform/http/refusal.ts'
import type { Pace } from './polite-fetch.server.ts'
import type { MarketMovers } from './scrape.server.ts'
import {
  ScraperBody,
  ScraperOutcome,
  type ScrapingContract,
  scrapingContract,
} from './scraping.contract.ts'
import {
  SCRAPER_REFUSALS,
  SCRAPER_STREAM,
  type ScraperLine,
  type ScraperResponse,
} from './scraping.ts'

const ADDRESS = '/functions/v1/scrape-market-movers'
const reader = requestReader({ body: ScraperBody })

export function scrapingHandlers(source: MarketMovers): Handlers<ScrapingContract> {
  return {
    'GET /api/v1/admin-tools': async ({ actor }) => {
      return { sourceName: source.name, mayRun: may.runAdminTools(actor) }
    },
  }
}

interface ScraperParts {
  source: MarketMovers
  contextOf: (identity: RequestIdentity) => Promise<Ctx>
  /** Tests replace it. */
  guard?: Guard
  pace?: Pace
}

/**
 * Mounts `POST /functions/v1/scrape-market-movers`. With application/x-ndjson it streams a line once the list is known,
 * one per company, and the response last; otherwise it sends only the response.
 */
export function registerScraper(app: FastifyInstance, { contextOf, ...settings }: ScraperParts) {
  // Per process, only one run at a time requests the other site, so we keep its pauses.
  let isRunning = false
  app.post(
    ADDRESS,
    {
      schema: {
        summary: 'Read companies from the page of market movers. For administrators',
        tags: ['functions'],
        ...reader.schema,
        response: { 200: ScraperOutcome },
      },
      validatorCompiler: reader.validatorCompiler,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const read = reader.check(request)
      const { authorization, accept = '' } = request.headers
      const { actor } = await contextOf({ authorization, network: networkOf(request.ip) })
      requireAccess({ access: 'admin', refusal: { forbidden: SCRAPER_REFUSALS.forbidden } }, actor)
      const { limit } = read().body
      if (isRunning) throw conflict(SCRAPER_REFUSALS.running)
      isRunning = true
      try {
        // Imported lazily, because few processes ever need the parser.
        const { scrapeMarketMovers } = await import('./scrape.server.ts')
        // A disconnected client ends the run.
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const run = { ...settings, limit, signal: gone.signal }
        if (!accept.includes(SCRAPER_STREAM)) return await scrapeMarketMovers(run)
        reply.hijack()
        await sendLines(reply.raw, (write) =>
          scrapeMarketMovers({
            ...run,
            onFound: (found) => write({ found }),
            onResult: (result) => write({ result }),
          }),
        )
      } finally {
        isRunning = false
      }
    },
  )
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: ADDRESS,
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.header('allow', 'POST')
      throw onlyAccepts('POST')
    },
  })
}

/** A line for each `write`, and the result last. */
async function sendLines(
  raw: ServerResponse,
  work: (write: (line: ScraperLine) => void) => Promise<ScraperResponse>,
) {
  raw.writeHead(200, {
    'content-type': `${SCRAPER_STREAM}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // We send headers first, because the page of market movers may take long.
  raw.flushHeaders()
  const write = (line: ScraperLine) => {
    if (!raw.destroyed) raw.write(`${JSON.stringify(line)}\n`)
  }
  try {
    write(await work(write))
  } finally {
    raw.end()
  }
}

export const scraping: Feature = {
  routes({ http, bind, contextOf, config: { marketMovers } }) {
    bind(scrapingContract, scrapingHandlers(marketMovers))
    registerScraper(http, { source: marketMovers, contextOf })
  },
}
