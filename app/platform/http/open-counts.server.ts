/** Where this process counts what the site's processes count together. */
import type { Secrets } from '../database/secrets.server.ts'
import { countsInMemory, insured, type Shared, type SharedCounts } from './shared-counts.server.ts'

/**
 * Those of REDIS_URL; without it those of all workers of this host, or this process's own.
 * @param ofPrimary where workers count together
 */
export async function openCounts(
  { redisUrl }: { redisUrl?: string },
  secrets: Secrets,
  ofPrimary: Shared | undefined,
): Promise<SharedCounts> {
  const own = countsInMemory()
  const ofHost = ofPrimary ? await insured(ofPrimary, own) : own
  if (!redisUrl) return ofHost
  const { countsInRedis } = await import('./redis-counts.server.ts')
  return insured(await countsInRedis(redisUrl, secrets), ofHost)
}
