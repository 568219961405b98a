/**
 * Fetches what strangers name, from the open web only. A name is looked at when it is connected to
 * and not before: what resolves to a public address now may resolve to our own house a moment later.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'

export const MEGABYTE = 1024 * 1024
const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CONNECT_MS = 5_000
/** For all of it, redirects and a body that trickles. */
const WHOLE_MS = 15_000

export interface Fetched {
  /** Where it was in the end. */
  url: string
  body: Buffer
}

/**
 * Reads at most `maxBytes`; of what is longer the beginning where `isCut`, else nothing.
 * @throws Error for whatever is not there, not public, too long or too slow
 */
export type FetchPublic = (
  url: string,
  limits: { maxBytes: number; isCut?: boolean },
) => Promise<Fetched>

export interface Guard {
  isAllowed: (address: string) => boolean
  lookup: LookupFunction
  /** '' is the usual one of http and https. */
  ports: string[]
}

/**
 * Globally reachable, one to one. Not: our own machine and network, whatever carries an IPv4 address
 * inside an IPv6 one, groups, and what is set apart for documents and tests.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // All that is handed out so far begins here; "::127.0.0.1" does not.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'))
}

const openWeb: Guard = { isAllowed: isPublicAddress, lookup, ports: ['', '80', '443'] }

/** @param guard another one in tests only: theirs is a site on this machine */
export function createPublicFetch(guard: Guard = openWeb): FetchPublic {
  return async (url, limits) => {
    const agent = new Agent({ connect: guardedConnect(guard), pipelining: 0 })
    const signal = AbortSignal.timeout(WHOLE_MS)
    try {
      let at = url
      for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
        demandOpenWeb(at, guard)
        const { statusCode, headers, body } = await request(at, {
          dispatcher: agent,
          signal,
          headers: { accept: 'text/html, image/*', 'accept-encoding': 'identity' },
        })
        // What is not read to its end is torn off, and says so to whoever listens.
        body.on('error', () => {})
        const location = headers.location
        if (REDIRECTS.has(statusCode) && typeof location === 'string') {
          body.destroy()
          at = new URL(location, at).href
          continue
        }
        if (statusCode !== 200) throw new Error(`The answer was ${statusCode}`)
        return { url: at, body: await readAtMost(body, limits) }
      }
      throw new Error('Too many redirects')
    } finally {
      // What is still being sent is of no interest any more.
      await agent.destroy()
    }
  }
}

function demandOpenWeb(url: string, { ports }: Guard) {
  const { protocol, port, username, password } = new URL(url)
  const isPlain = (protocol === 'http:' || protocol === 'https:') && !username && !password
  if (!isPlain || !ports.includes(port)) throw new Error('Not an address on the open web')
}

/** Every connection comes by here, with the name or the address that it is about to use. */
function guardedConnect(guard: Guard): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(guard) })
  return (options, callback) =>
    isIP(options.hostname) && !guard.isAllowed(options.hostname)
      ? callback(notPublic(), null)
      : connect(options, callback)
}

/** One address that is not public among several is enough: a name has no business with it. */
const guardedLookup =
  (guard: Guard): LookupFunction =>
  (hostname, options, callback) =>
    guard.lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      if (error || !addresses[0]) return callback(error ?? notPublic(), '')
      if (!addresses.every(({ address }) => guard.isAllowed(address)))
        return callback(notPublic(), '')
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0].address, addresses[0].family)
    })

const notPublic = () => new Error('Not a public address')

async function readAtMost(
  body: AsyncIterable<Buffer>,
  { maxBytes, isCut = false }: { maxBytes: number; isCut?: boolean },
) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= maxBytes) continue
    if (!isCut) throw new Error('Too long')
    break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
