import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { chosenUses } from './chosen-limits.server.ts'
import { Refusal } from './refusal.ts'

export interface RateLimit {
  /** Counts a use. If it was one too many, returns the seconds to wait. */
  use(key: string): Promise<number | undefined>
  /** Undoes a use that turned out not to count. */
  giveBack(key: string): Promise<void>
}

/** Allows at most `uses` per `seconds` and key. */
interface LimitSettings {
  /** Unique for each limit. It's part of the store's keys. */
  name: string
  uses: number
  seconds: number
}

export interface Counter {
  /** Rejects with a RateLimiterRes if it was one too many, or with another error if it failed. */
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
}

export type LimitStore = (limit: LimitSettings) => Counter

export const limitInMemory: LimitStore = ({ name, uses, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points: uses, duration: seconds })

let store = limitInMemory
/** The names used since the store was chosen. Undefined before that. */
let names: Set<string> | undefined

/**
 * Sets the store of all limits created from now on. Called once, at startup. Tests, which run
 * several sites in one process, don't call it.
 */
export function chooseLimitStore(chosen: LimitStore = limitInMemory) {
  store = chosen
  names = new Set()
}

/** Undoes `chooseLimitStore`, for test files that share a process. */
export function forgetLimitStore() {
  store = limitInMemory
  names = undefined
}

/**
 * At most `uses` per `seconds` and key, or the operator's number. Without limits (`isOn` false),
 * never one too many. A changed number restarts the count, except in Redis.
 * @throws an Error if the name is taken, because the counts would mix
 */
export function createRateLimit({ isOn, ...limit }: LimitSettings & { isOn: boolean }): RateLimit {
  if (names?.has(limit.name)) throw new Error(`Two limits are named ${limit.name}`)
  names?.add(limit.name)
  if (!isOn) return { use: async () => undefined, giveBack: async () => {} }
  // One counter per number: a host's processes identify counters that way.
  const counters = new Map([[limit.uses, store(limit)]])
  const inForce = () => {
    const uses = chosenUses(limit.name) ?? limit.uses
    const counter = counters.get(uses) ?? store({ ...limit, uses })
    counters.set(uses, counter)
    return counter
  }
  return {
    use: (key) =>
      inForce()
        .consume(key)
        .then(
          () => undefined,
          (refused: unknown) => {
            if (refused instanceof RateLimiterRes) return secondsOf(refused)
            throw refused
          },
        ),
    giveBack: async (key) => {
      await inForce().reward(key)
    },
  }
}

/** A provider's customer often has an IPv6 /48. Its networks together get this many times the limit. */
const NETWORKS_TOGETHER = 8

/** Counts per network (`networkOf`, alone or before a blank), and per /48 for all of its networks. */
export function createNetworkLimit(limit: LimitSettings & { isOn: boolean }): RateLimit {
  const { name, uses } = limit
  const alone = createRateLimit(limit)
  const together = createRateLimit({
    ...limit,
    name: `${name}-together`,
    uses: uses * NETWORKS_TOGETHER,
  })
  const prefix48Of = (key: string) => {
    const [, prefix48, about = ''] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+( .*)?$/.exec(key) ?? []
    return prefix48 === undefined ? undefined : prefix48 + about
  }
  return {
    async use(key) {
      const prefix48 = prefix48Of(key)
      const waits = [await alone.use(key), prefix48 && (await together.use(prefix48))]
      return Math.max(...waits.map((wait) => Number(wait ?? 0))) || undefined
    },
    async giveBack(key) {
      const prefix48 = prefix48Of(key)
      await alone.giveBack(key)
      if (prefix48) await together.giveBack(prefix48)
    },
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000))

/** @param wait seconds */
export const tooMany = (wait: number) =>
  new Refusal('too-many', `Too many requests. Please wait ${wait} seconds.`, {
    retryAfter: wait,
  })

/** Counts one use. @throws Refusal too-many with the time to wait */
export async function requireCapacity(limit: RateLimit | undefined, key: string) {
  const wait = await limit?.use(key)
  if (wait !== undefined) throw tooMany(wait)
}

/** An IPv6 /64 counts as one network, because a household owns all of its addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const plain = ipaddr.process(address)
  if (!(plain instanceof ipaddr.IPv6)) return plain.toString()
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
