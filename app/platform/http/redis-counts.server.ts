/** Counting together with processes on other hosts, in a Redis. */
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Secrets } from '../database/secrets.server.ts'
import { withDeadline } from './deadline.server.ts'
import type { Shared } from './shared-counts.server.ts'

/** A Redis of the house answers within a millisecond; one that hangs may cost no more than this. */
const PATIENCE_MS = 250
const CONNECTED_WITHIN_MS = 1_000

/**
 * Redis shows its keys to whoever looks into it, so they are hashes under the site's key: of a network
 * or an account nothing stands there that could be found again without it.
 * @param url redis:// or rediss://
 */
export async function countsInRedis(
  url: string,
  secrets: Secrets,
  { patienceMs = PATIENCE_MS } = {},
): Promise<Shared> {
  const redis = new Redis(url, {
    // By default a request would wait for a Redis that is away for ten seconds and more.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 4 * patienceMs,
    retryStrategy: (times) => Math.min(200 * times, 2_000),
  })
  // Unheard it would end the process. Who asks next learns of it.
  redis.on('error', () => {})
  await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECTED_WITHIN_MS) }).catch(() => {})

  // The library's own limit would take a process that is too busy to look for a Redis that hangs.
  const answered = <Result>(answer: Promise<Result>) =>
    withDeadline(answer, patienceMs, () => new Error('Redis does not answer'))
  const hidden = (key: string) => secrets.hash('shared counts', key)
  return {
    counterOf({ name, uses, seconds }) {
      const limiter = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `kettle-${name}`,
        points: uses,
        duration: seconds,
      })
      return {
        consume: (key) => answered(limiter.consume(hidden(key))),
        reward: (key) => answered(limiter.reward(hidden(key))),
      }
    },
    async markFirst(key, ms) {
      const marking = redis.set(`kettle-mark:${hidden(key)}`, '1', 'PX', ms, 'NX')
      return (await answered(marking)) === 'OK'
    },
    probe: () => answered(redis.ping()),
    close: () => redis.disconnect(),
  }
}
