/** Whether the Redis of REDIS_URL counts for us, and forgets as it should. */
import { Redis } from 'ioredis'
import type { Config } from './config.server.ts'
import { about, type Finding } from './doctor.server.ts'

const PATIENCE_MS = 5_000

const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there. Check host and port in REDIS_URL, and the firewall',
  ETIMEDOUT: 'it doesn’t answer in time. Check host and port in REDIS_URL, and the firewall',
  ENOTFOUND: 'its name is unknown. Check the host in REDIS_URL',
  WRONGPASS: 'it refuses the user or the password in REDIS_URL',
  NOAUTH: 'it wants a password: redis://:PASSWORD@HOST:6379',
}

export async function redisFindings({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  const { ok, warning, problem } = about('limits')
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
    return [ok('Redis counts for us, and writes nothing to disk.')]
  } catch (error) {
    const word = causeOf(cause ?? error)
    return [
      problem(`Redis can’t be used, so each host counts limits alone: ${CAUSES[word] ?? word}.`),
    ]
  } finally {
    redis.disconnect()
  }
}

/** Empty, too, where it may not be asked. */
const setting = async (redis: Redis, name: string) =>
  ((await redis.config('GET', name).catch(() => [])) as string[])[1] ?? ''

/** A code of the system, or the word that Redis begins its refusals with; no more, as those may quote us. */
function causeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? /^[A-Z]{3,20}\b/.exec(message ?? '')?.[0] ?? 'unknown error'
}
