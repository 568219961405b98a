/** Answers on the site's port until the site can: that it is alive, not ready, and when to ask again. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../operations/config.server.ts'
import { turnAway, turningAway } from '../operations/stopping.server.ts'
import { securityHeaders } from './security-headers.server.ts'
import { isUnavailable } from './unavailable.ts'

const STARTING = turningAway('The site is starting. Please try again in a moment.')
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000

export interface StartupServer {
  /** Leaves the port to the site. */
  leave(): Promise<void>
}

/**
 * @param isDatabaseThere is told at /readyz
 * @throws what Node says where the port is taken
 */
export async function openStartupServer(
  config: Config,
  isDatabaseThere: () => boolean,
): Promise<StartupServer> {
  const headers = new Map(securityHeaders(config))
  const server = createServer((request, response) => {
    response.setHeaders(headers)
    // Whoever is here when the site takes over asks again there.
    response.setHeader('connection', 'close')
    const path = request.url?.split('?')[0]
    if (path !== '/healthz' && path !== '/readyz') return turnAway(request, response, STARTING)
    const isHealth = path === '/healthz'
    response.writeHead(isHealth ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.end(
      JSON.stringify(
        isHealth
          ? { status: 'ok' }
          : { status: 'starting', database: isDatabaseThere() ? 'ok' : 'unreachable' },
      ),
    )
  })
  const { host, port } = config
  server.listen({ host, port })
  await once(server, 'listening')
  return {
    async leave() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/**
 * Tries `work` until the database answers: after a second, two, four, up to half a minute, and not all
 * processes in the same moment. Any other error ends it.
 * @param say hears a line before each pause
 */
export async function whenDatabaseIsThere<Result>(
  work: () => Promise<Result>,
  say: (line: string) => void,
): Promise<Result> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS))
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const ms = pause * (0.8 + Math.random() * 0.4)
      say(`${error.message} Trying again in ${Math.ceil(ms / 1000)} s.`)
      await wait(ms)
    }
}
