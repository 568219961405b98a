import { LRUCache } from 'lru-cache'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { type LimitStore, limitInMemory } from './rate-limits.server.ts'

export interface SharedCounts {
  counterOf: LimitStore
  /** Marks `key` for `ms`. Returns true to exactly one caller. */
  markFirst(key: string, ms: number): Promise<boolean>
  /** `alone` means we don't know other processes' counts. */
  word(): LimitsState
  /** Subscribes to changes. Calls the listener immediately if this process is unexpectedly alone. */
  whenChanged(hear: (word: LimitsState) => void): void
  close(): void
}

export type LimitsState = 'shared' | 'alone'

/** Making each mark took its owner some tenths of a second. */
const MARKS_AT_MOST = 20_000
/** The time between two attempts to reach the others again. */
const LOOK_EVERY_MS = 1_000

export function countsInMemory(): SharedCounts {
  const marked = new LRUCache<string, true>({ max: MARKS_AT_MOST })
  return {
    counterOf: limitInMemory,
    async markFirst(key, ms) {
      // No await between check and mark.
      if (marked.has(key)) return false
      marked.set(key, true, { ttl: ms })
      return true
    },
    word: () => 'alone',
    whenChanged() {},
    close() {},
  }
}

/** Shared counts. While they're unreachable, each call fails. */
export interface Shared extends Pick<SharedCounts, 'counterOf' | 'markFirst' | 'close'> {
  /** Resolves once they're reachable. */
  probe(): Promise<unknown>
}

/**
 * Uses `shared` while it's reachable, or else `fallback`, so an outage doesn't refuse or delay
 * anyone. After a failure, a timer probes each second, so no request pays for that.
 */
export async function withFallback(shared: Shared, fallback: SharedCounts): Promise<SharedCounts> {
  let isReached = await reaches(shared)
  let timer: NodeJS.Timeout | undefined
  let publish: (word: LimitsState) => void = () => {}

  function change(to: boolean) {
    isReached = to
    publish(word())
  }
  function lookLater() {
    timer = setTimeout(
      () => shared.probe().then(() => change(true), lookLater),
      LOOK_EVERY_MS,
    ).unref()
  }
  async function either<Result>(call: () => Promise<Result>, instead: () => Promise<Result>) {
    if (!isReached) return instead()
    try {
      return await call()
    } catch (error) {
      // A request that's one too many isn't a failure.
      if (error instanceof RateLimiterRes) throw error
      if (isReached) {
        change(false)
        lookLater()
      }
      return instead()
    }
  }
  const word = () => (isReached ? 'shared' : 'alone')
  if (!isReached) lookLater()

  return {
    counterOf(limit) {
      const [together, alone] = [shared.counterOf(limit), fallback.counterOf(limit)]
      return {
        consume: (key) =>
          either(
            () => together.consume(key),
            () => alone.consume(key),
          ),
        reward: (key) =>
          either(
            () => together.reward(key),
            () => alone.reward(key),
          ),
      }
    },
    async markFirst(key, ms) {
      // We also mark it locally, so it's still used when the others are back.
      if (!(await fallback.markFirst(key, ms))) return false
      return either(
        () => shared.markFirst(key, ms),
        async () => true,
      )
    },
    word,
    whenChanged(subscriber) {
      publish = subscriber
      if (!isReached) subscriber('alone')
    },
    close() {
      clearTimeout(timer)
      shared.close()
      fallback.close()
    },
  }
}

const reaches = (shared: Shared) =>
  shared.probe().then(
    () => true,
    () => false,
  )
