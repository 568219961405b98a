/** How often somebody may do something. Counted in memory only: no address ever reaches a table. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export interface RateLimit {
  /** Counts one use. Answers the seconds to wait when that was one too many, else undefined. */
  use(key: string): Promise<number | undefined>
  /** The seconds to wait when there is no use left; counts nothing. */
  waitFor(key: string): Promise<number | undefined>
}

/** `uses` per `seconds` and key; without limits (`isOn` false) never one too many. */
export function createRateLimit(settings: {
  uses: number
  seconds: number
  isOn: boolean
}): RateLimit {
  const { uses, seconds, isOn } = settings
  if (!isOn) return { use: async () => undefined, waitFor: async () => undefined }
  const limiter = new RateLimiterMemory({ points: uses, duration: seconds })
  return {
    use: (key) =>
      limiter.consume(key).then(
        () => undefined,
        (refused: RateLimiterRes) => secondsOf(refused),
      ),
    async waitFor(key) {
      const state = await limiter.get(key)
      return state && state.remainingPoints <= 0 ? secondsOf(state) : undefined
    },
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000))

/** One household or office of an IPv6 network counts as one: it owns 2^64 addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const plain = address.split('%')[0] ?? ''
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (embedded) return embedded
  const [head = '', tail = ''] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = plain.includes('::') ? Array(8 - left.length - right.length).fill('0') : []
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
