/** How often somebody may do something. No address ever reaches a table. */
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { chosenUses } from './chosen-limits.server.ts'
import { Refusal } from './refusal.ts'

export interface RateLimit {
  /** Counts one use. Answers the seconds to wait when that was one too many, else undefined. */
  use(key: string): Promise<number | undefined>
  /** Takes a use back that was counted before it was known whether it counts. */
  giveBack(key: string): Promise<void>
}

/** What is counted by one name: at most `uses` per `seconds` and key. */
export interface LimitSettings {
  /** Of this limit alone: by it and the key the store knows what it counts. */
  name: string
  uses: number
  seconds: number
}

/** Counts uses of one limit, as the library's limiters do. */
export interface Counter {
  /** Rejects with a RateLimiterRes when that was one too many; with anything else when it failed. */
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
}

/** Where uses are counted: in this process, or for several of them together. */
export type LimitStore = (limit: LimitSettings) => Counter

export const inMemory: LimitStore = ({ name, uses, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points: uses, duration: seconds })

let store = inMemory
/** The names that were given since the store was chosen; undefined while none was. */
let names: Set<string> | undefined

/**
 * Where all limits count that are created from now on: to be called once, when the site starts. Tests,
 * which compose several sites in one process, leave it, and each limit counts for itself in memory.
 */
export function chooseLimitStore(chosen: LimitStore = inMemory) {
  store = chosen
  names = new Set()
}

/** As before one was chosen: for test files that share a process. */
export function forgetLimitStore() {
  store = inMemory
  names = undefined
}

/**
 * `uses` per `seconds` and key, or as many as whoever runs the site chose; without limits (`isOn` false)
 * never one too many. Another number begins to count anew, but where Redis counts.
 * @throws an Error when there is a limit of this name already: they would count into each other
 */
export function createRateLimit({ isOn, ...limit }: LimitSettings & { isOn: boolean }): RateLimit {
  if (names?.has(limit.name)) throw new Error(`There are two limits of the name ${limit.name}`)
  names?.add(limit.name)
  if (!isOn) return { use: async () => undefined, giveBack: async () => {} }
  // By its number, so that there are never two of one: processes of one machine know theirs by it.
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

/** One customer of a provider often has a whole /48 of IPv6: its networks together may do what so many of them may. */
const NETWORKS_TOGETHER = 8

/** Counts by network, as `networkOf` says it, alone or before a blank; those of one /48 beside that together. */
export function createNetworkLimit(limit: LimitSettings & { isOn: boolean }): RateLimit {
  const { name, uses } = limit
  const alone = createRateLimit(limit)
  const together = createRateLimit({
    ...limit,
    name: `${name}-together`,
    uses: uses * NETWORKS_TOGETHER,
  })
  const of = (key: string) => {
    const [, site, about = ''] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+( .*)?$/.exec(key) ?? []
    return site === undefined ? undefined : site + about
  }
  return {
    async use(key) {
      const site = of(key)
      const waits = [await alone.use(key), site && (await together.use(site))]
      return Math.max(...waits.map((wait) => Number(wait ?? 0))) || undefined
    },
    async giveBack(key) {
      const site = of(key)
      await alone.giveBack(key)
      if (site) await together.giveBack(site)
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
export async function requireRoom(limit: RateLimit | undefined, key: string) {
  const wait = await limit?.use(key)
  if (wait !== undefined) throw tooMany(wait)
}

/** One household or office of an IPv6 network counts as one: it owns 2^64 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const plain = ipaddr.process(address)
  if (!(plain instanceof ipaddr.IPv6)) return plain.toString()
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
