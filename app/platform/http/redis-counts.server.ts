import { once } from 'node:events'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Secrets } from '../database/secrets.server.ts'
import type { Shared } from './shared-counts.server.ts'
import { withDeadline } from './work-limits.server.ts'

/** A local Redis answers within a millisecond. We wait this long for a hanging one. */
const PATIENCE_MS = 250
const CONNECTED_WITHIN_MS = 1_000

/**
 * Counts shared across hosts. Redis shows its keys to anyone who looks, so we use keyed hashes, which reveal no network
 * or account.
 * @param url redis:// or rediss://
 */
export async function countsInRedis(
  url: string,
  secrets: Secrets,
  { patienceMs = PATIENCE_MS } = {},
): Promise<Shared> {
  const redis = new Redis(url, {
    // By default, requests would wait for a missing Redis for ten seconds or more.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 4 * patienceMs,
    retryStrategy: (times) => Math.min(200 * times, 2_000),
  })
  // An unhandled error event would end the process. The next call fails anyway.
  redis.on('error', () => {})
  await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECTED_WITHIN_MS) }).catch(() => {})

  // With the library's own limit, a busy process would look like a hanging Redis.
  const answered = <Result>(answer: Promise<Result>) =>
    withDeadline(answer, patienceMs, () => new Error('Redis isn’t responding'))
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
