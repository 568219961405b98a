/** What the processes of a site count together: uses of limits, and marks that count once. */
import { LRUCache } from 'lru-cache'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { inMemory, type LimitStore } from './rate-limits.server.ts'

export interface SharedCounts {
  /** Where uses of a limit are counted. */
  counterOf: LimitStore
  /** Marks `key` for so long. True for one caller only, however many come at the same moment. */
  markFirst(key: string, ms: number): Promise<boolean>
  /** `alone`: what other processes count is not known here. */
  word(): LimitsWord
  /** Hears each change of the word, and at once if this process is alone though it should not be. */
  whenChanged(hear: (word: LimitsWord) => void): void
  close(): void
}

export type LimitsWord = 'shared' | 'alone'

/** Each took its maker some tenths of a second. */
const MARKS_AT_MOST = 20_000
/** Between two looks at whether others can be reached again. */
const LOOK_EVERY_MS = 1_000

/** Of this process, for itself. */
export function countsInMemory(): SharedCounts {
  const marked = new LRUCache<string, true>({ max: MARKS_AT_MOST })
  return {
    counterOf: inMemory,
    async markFirst(key, ms) {
      // Nothing is awaited between the look and the mark.
      if (marked.has(key)) return false
      marked.set(key, true, { ttl: ms })
      return true
    },
    word: () => 'alone',
    whenChanged() {},
    close() {},
  }
}

/** Where others count along. Each of these fails while they cannot be reached. */
export interface Shared extends Pick<SharedCounts, 'counterOf' | 'markFirst' | 'close'> {
  /** Resolves when they can be reached. */
  probe(): Promise<unknown>
}

/**
 * Counts with others while they can be reached, else as `insurance` does: nobody is refused, and nobody
 * waits, because a counter is away. After a failure it looks each second by itself whether they are back,
 * so that no request pays for that.
 */
export async function insured(shared: Shared, insurance: SharedCounts): Promise<SharedCounts> {
  let isReached = await reaches(shared)
  let timer: NodeJS.Timeout | undefined
  let tell: (word: LimitsWord) => void = () => {}

  function change(to: boolean) {
    isReached = to
    tell(word())
  }
  function lookLater() {
    timer = setTimeout(
      () => shared.probe().then(() => change(true), lookLater),
      LOOK_EVERY_MS,
    ).unref()
  }
  async function either<Result>(ask: () => Promise<Result>, instead: () => Promise<Result>) {
    if (!isReached) return instead()
    try {
      return await ask()
    } catch (error) {
      // One too many: an answer.
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
      const [together, alone] = [shared.counterOf(limit), insurance.counterOf(limit)]
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
      // Marked here in any case: what was used while others were away is not good once they are back.
      if (!(await insurance.markFirst(key, ms))) return false
      return either(
        () => shared.markFirst(key, ms),
        async () => true,
      )
    },
    word,
    whenChanged(hear) {
      tell = hear
      if (!isReached) hear('alone')
    },
    close() {
      clearTimeout(timer)
      shared.close()
      insurance.close()
    },
  }
}

const reaches = (shared: Shared) =>
  shared.probe().then(
    () => true,
    () => false,
  )
