/** Whether the Redis of REDIS_URL works, and stores nothing on disk. */
import { Redis } from 'ioredis'
import type { Config } from './config.server.ts'
import { type Finding, findingsAbout } from './doctor.server.ts'

const PATIENCE_MS = 5_000

const CAUSES: Record<string, string> = {
  ECONNREFUSED:
    'nothing is responding there. Check the host and port in REDIS_URL, and the firewall',
  ETIMEDOUT: 'it took too long to respond. Check the host and port in REDIS_URL, and the firewall',
  ENOTFOUND: 'the host name is unknown. Check the host in REDIS_URL',
  WRONGPASS: 'it rejects the user or password in REDIS_URL',
  NOAUTH: 'it needs a password: redis://:PASSWORD@HOST:6379',
}

export async function redisFindings({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  const { ok, warning, problem } = findingsAbout('limits')
  if (!redisUrl) return []
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  })
  let cause: unknown
  redis.on('error', (error) => {
    cause ??= error
  })
  try {
    await redis.connect()
    await redis.ping()
    const isWritten =
      (await setting(redis, 'save')) !== '' || (await setting(redis, 'appendonly')) === 'yes'
    if (isWritten)
      return [
        warning(
          'Redis writes its counts to disk. Set save "" and appendonly no there (docs/operations.md, section 13).',
        ),
      ]
    return [ok('Redis works, and writes nothing to disk.')]
  } catch (error) {
    const word = causeOf(cause ?? error)
    return [
      problem(
        `Redis doesn’t work, so each host counts rate limits on its own: ${CAUSES[word] ?? word}.`,
      ),
    ]
  } finally {
    redis.disconnect()
  }
}

/** Empty if we aren't allowed to ask. */
const setting = async (redis: Redis, name: string) =>
  ((await redis.config('GET', name).catch(() => [])) as string[])[1] ?? ''

/** A system code, or the first word of Redis's refusal. The rest may quote us. */
function causeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? /^[A-Z]{3,20}\b/.exec(message ?? '')?.[0] ?? 'unknown error'
}
