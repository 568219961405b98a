import type { Secrets } from '../database/secrets.server.ts'
import {
  countsInMemory,
  type Shared,
  type SharedCounts,
  withFallback,
} from './shared-counts.server.ts'

/**
 * Counts that the site's processes share: in REDIS_URL, or else in this host's primary, or else just in this process.
 * @param ofPrimary where this host's workers count
 */
export async function openCounts(
  { redisUrl }: { redisUrl?: string },
  secrets: Secrets,
  ofPrimary: Shared | undefined,
): Promise<SharedCounts> {
  const own = countsInMemory()
  const ofHost = ofPrimary ? await withFallback(ofPrimary, own) : own
  if (!redisUrl) return ofHost
  const { countsInRedis } = await import('./redis-counts.server.ts')
  return withFallback(await countsInRedis(redisUrl, secrets), ofHost)
}
