import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Config, ConfigError } from '../operations/config.server.ts'
import { preparedRefusal, sendRefusal } from '../operations/shutdown.server.ts'
import { restartingPage } from './restarting-page.server.ts'
import { headersByHost } from './security-headers.server.ts'
import { isUnavailable } from './unavailable.ts'

const STARTING = preparedRefusal(
  'The site is starting. Please try again in a moment.',
  restartingPage,
)
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000

const NO_ADDRESS =
  'HOST isn’t one of this machine’s addresses. Use 127.0.0.1 behind a proxy, or 0.0.0.0 to listen on all of them.'
const WHY_NOT_LISTENING: Record<string, string> = {
  EADDRINUSE:
    'Something else already uses PORT, perhaps another Kettle. Stop it, or set PORT to another number.',
  EACCES: 'This user can’t use a PORT that low. Set PORT to a number above 1023.',
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
  EINVAL: NO_ADDRESS,
}

/** @throws ConfigError if the address is taken, or isn't ours */
export const explainListenError = (listen: Promise<unknown>) =>
  listen.catch((error) => {
    const sentence = WHY_NOT_LISTENING[error.code]
    throw sentence === undefined ? error : new ConfigError(sentence)
  })

/** The site's own URL without a proxy. */
export const urlAt = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

interface StartupServer {
  leave(): Promise<void>
}

/**
 * Answers on the site's port while the site starts: it's alive but not ready, and says when to retry.
 * @param isDatabaseThere reported at /readyz
 * @throws ConfigError if the address is taken, or isn't ours
 */
export async function openStartupServer(
  config: Config,
  isDatabaseThere: () => boolean,
): Promise<StartupServer> {
  const headers = headersByHost(config)
  const server = createServer((request, response) => {
    response.setHeaders(new Map(headers.isOnion(request) ? headers.onion : headers.own))
    // Clients must reconnect to reach the site itself.
    response.setHeader('connection', 'close')
    const path = request.url?.split('?')[0]
    if (path !== '/healthz' && path !== '/readyz') return sendRefusal(request, response, STARTING)
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
  await explainListenError(once(server, 'listening'))
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
 * Retries `work` until the database answers: after 1, 2, 4 and up to 30 seconds, with jitter. Other errors end it.
 * @param say called with a line before each pause
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
