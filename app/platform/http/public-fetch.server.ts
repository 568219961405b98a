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
  /** As the other side says; '' where it says nothing. */
  contentType: string
}

export interface FetchLimits {
  maxBytes: number
  isCut?: boolean
  /** Sooner than the usual time, in milliseconds. */
  ms?: number
  signal?: AbortSignal
  /** Hears where a redirect leads before it is followed, and may throw. */
  onRedirect?: (url: string) => Promise<void>
  /** What we say we are. */
  userAgent?: string
}

/**
 * Reads at most `maxBytes`; of what is longer the beginning where `isCut`, else nothing.
 * @throws NotFetched for what is not there, not public or too long; other errors for the rest
 */
export type FetchPublic = (url: string, limits: FetchLimits) => Promise<Fetched>

/** Why something was not fetched; recognise one by its `reason`. */
export class NotFetched extends Error {
  override name = 'NotFetched'
  constructor(
    readonly reason: 'status' | 'redirects' | 'too-long' | 'not-public' | 'not-the-web',
    message: string,
    /** Of an answer that was not 200. */
    readonly status?: number,
  ) {
    super(message)
  }
}

export interface Guard {
  isAllowed: (address: string) => boolean
  lookup: LookupFunction
  /** '' is the usual one of http and https. */
  ports: string[]
  /**
   * Where the operator sends us by a setting, such as http://127.0.0.1:8080: it may be in our own
   * house. It is this protocol, name and port; wherever a link or a redirect leads from there is
   * looked at as always.
   */
  ownOrigin?: string
}

/**
 * What answers the machines of a cloud, and only them, at addresses that look public: Azure's host, and
 * the services of IBM Cloud. Others' lie in ranges that are private anyway.
 */
const CLOUD_HOUSES = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.parseCIDR(range),
)

/**
 * Globally reachable, one to one. Not: our own machine and network, whatever carries an IPv4 address
 * inside an IPv6 one, groups, and what is set apart for documents and tests.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return !CLOUD_HOUSES.some((range) => parsed.match(range))
  // All that is handed out so far begins here; "::127.0.0.1" does not.
  return parsed.match(ipaddr.parseCIDR('2000::/3'))
}

export const openWeb: Guard = { isAllowed: isPublicAddress, lookup, ports: ['', '80', '443'] }

/** @param guard another one in tests only: theirs is a site on this machine */
export function createPublicFetch(guard: Guard = openWeb): FetchPublic {
  return async (url, limits) => {
    const agent = new Agent({ connect: guardedConnect(guard), pipelining: 0 })
    const { signal, forget } = endingAfter(Math.min(limits.ms ?? WHOLE_MS, WHOLE_MS), limits.signal)
    try {
      let at = url
      for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
        requireOpenWeb(at, guard)
        if (hops > 0) await limits.onRedirect?.(at)
        const { statusCode, headers, body } = await request(at, {
          dispatcher: agent,
          signal,
          headers: {
            accept: 'text/html, image/*',
            'accept-encoding': 'identity',
            ...(limits.userAgent && { 'user-agent': limits.userAgent }),
          },
        })
        // What is not read to its end is torn off, and says so to whoever listens.
        body.on('error', () => {})
        const location = headers.location
        if (REDIRECTS.has(statusCode) && typeof location === 'string') {
          body.destroy()
          at = new URL(location, at).href
          continue
        }
        if (statusCode !== 200)
          throw new NotFetched('status', `The answer was ${statusCode}`, statusCode)
        const contentType = String(headers['content-type'] ?? '')
        return { url: at, body: await readAtMost(body, limits), contentType }
      }
      throw new NotFetched('redirects', 'Too many redirects')
    } finally {
      forget()
      // What is still being sent is of no interest any more.
      await agent.destroy()
    }
  }
}

/**
 * A signal that ends after `ms`, or with `other`. Not `AbortSignal.any`: it does not hold on to the
 * timeouts that it is made of, and some never come. Call `forget` when it is not needed any more.
 */
export function endingAfter(ms: number, other?: AbortSignal) {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new DOMException('Too slow', 'TimeoutError')), ms)
  const follow = () => end.abort(other?.reason)
  if (other?.aborted) follow()
  else other?.addEventListener('abort', follow, { once: true })
  const forget = () => {
    clearTimeout(timer)
    other?.removeEventListener('abort', follow)
  }
  return { signal: end.signal, forget }
}

function requireOpenWeb(url: string, { ports, ownOrigin }: Guard) {
  const { protocol, port, username, password, origin } = new URL(url)
  const isPlain = (protocol === 'http:' || protocol === 'https:') && !username && !password
  if (!isPlain || !(ports.includes(port) || origin === ownOrigin))
    throw new NotFetched('not-the-web', 'Not an address on the open web')
}

/** Every connection comes by here, with the name or the address that it is about to use. */
function guardedConnect(guard: Guard): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(guard) })
  const connectHome = buildConnector({ timeout: CONNECT_MS, lookup: guard.lookup })
  return (options, callback) => {
    if (isOwn(options, guard)) return connectHome(options, callback)
    return isIP(options.hostname) && !guard.isAllowed(options.hostname)
      ? callback(notPublic(), null)
      : connect(options, callback)
  }
}

/** The whole origin and nothing less: another port of the same machine is another house. */
function isOwn({ protocol, host = '' }: buildConnector.Options, { ownOrigin }: Guard) {
  const origin = `${protocol}//${host}`
  return ownOrigin !== undefined && URL.canParse(origin) && new URL(origin).origin === ownOrigin
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

const notPublic = () => new NotFetched('not-public', 'Not a public address')

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
    if (!isCut) throw new NotFetched('too-long', 'Too long')
    break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/**
 * A page's text. Whatever it says of itself, bytes that are UTF-8 are UTF-8: hardly a text in another
 * encoding is both. Else what was declared holds, then what browsers assume.
 */
export function pageText({ body, contentType }: Pick<Fetched, 'body' | 'contentType'>): string {
  const declared = /charset\s*=\s*["']?([\w.:-]+)/i
  const head = body.subarray(0, 2048).toString('latin1')
  const isWide = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff)
  const labels = [
    isWide ? (body[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8',
    declared.exec(contentType)?.[1],
    declared.exec(head)?.[1],
  ]
  for (const [i, label] of labels.entries())
    try {
      // Only the first must fit; of a page that was cut the last letter may be half.
      if (label) return new TextDecoder(label, { fatal: i === 0 }).decode(body, { stream: i === 0 })
    } catch {
      // Not this one, or one that nobody knows.
    }
  return new TextDecoder('windows-1252').decode(body)
}
