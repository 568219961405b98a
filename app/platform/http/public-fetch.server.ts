/**
 * Fetches URLs that strangers give us, but only from the public web. We check names while
 * connecting, not before, because a name that's public now may resolve to our own network a moment
 * later.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type CheerioAPI, load } from 'cheerio'
import { Parser } from 'htmlparser2'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'

export const MEGABYTE = 1024 * 1024
const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CONNECT_MS = 5_000
/** The longest wait in total, including redirects and trickling bodies. */
const WHOLE_MS = 15_000

export interface Fetched {
  url: string
  body: Buffer
  contentType: string
  /** What to send as `if-none-match` and `if-modified-since` next time. */
  etag?: string | undefined
  lastModified?: string | undefined
}

interface FetchLimits {
  maxBytes: number
  isCut?: boolean
  /** Replaces the usual time. In milliseconds. */
  ms?: number
  signal?: AbortSignal
  /** Called before we follow a redirect. It may throw. */
  onRedirect?: (url: string) => Promise<void>
  userAgent?: string
  /** Lower-case names. */
  headers?: Record<string, string>
}

/**
 * Reads at most `maxBytes`. With `isCut`, cuts longer bodies, and otherwise refuses them. @throws
 * NotFetched if the page is missing, not public or too long, and other errors for anything else
 */
export type FetchPublic = (url: string, limits: FetchLimits) => Promise<Fetched>

/** Recognize this error by its `reason`. */
export class NotFetched extends Error {
  override name = 'NotFetched'
  constructor(
    readonly reason: 'status' | 'redirects' | 'too-long' | 'not-public' | 'not-the-web',
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }
}

export interface Guard {
  isAllowed: (address: string) => boolean
  lookup: LookupFunction
  /** Empty for the default port of http and https. */
  ports: string[]
  /**
   * The operator's own URL, such as http://127.0.0.1:8080, which may be internal. Only this exact
   * protocol, name and port. Links and redirects from there are checked as usual.
   */
  ownOrigin?: string
}

/**
 * Addresses that look public but serve internal cloud services: Azure's host, and IBM Cloud's.
 * Other clouds use private ranges anyway.
 */
const CLOUD_INTERNAL = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.parseCIDR(range),
)

/**
 * Globally reachable unicast. Excludes our own machine and network, IPv4 inside IPv6, multicast,
 * and ranges for documentation and tests.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return !CLOUD_INTERNAL.some((range) => parsed.match(range))
  // All global IPv6 starts here. "::127.0.0.1" doesn't.
  return parsed.match(ipaddr.parseCIDR('2000::/3'))
}

export const openWeb: Guard = { isAllowed: isPublicAddress, lookup, ports: ['', '80', '443'] }

/** @param guard replaced only in tests, because their site is local */
export function createPublicFetch(guard: Guard = openWeb): FetchPublic {
  return async (url, limits) => {
    const agent = new Agent({ connect: guardedConnect(guard), pipelining: 0 })
    const { signal, forget } = endingAfter(limits.ms ?? WHOLE_MS, limits.signal)
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
            ...limits.headers,
          },
        })
        // Aborted bodies emit an error.
        body.on('error', () => {})
        const location = headers.location
        if (REDIRECTS.has(statusCode) && typeof location === 'string') {
          body.destroy()
          at = new URL(location, at).href
          continue
        }
        if (statusCode !== 200)
          throw new NotFetched('status', `The server returned ${statusCode}`, statusCode)
        const header = (name: string) => headers[name]?.toString()
        return {
          url: at,
          body: await readAtMost(body, limits),
          contentType: header('content-type') ?? '',
          etag: header('etag'),
          lastModified: header('last-modified'),
        }
      }
      throw new NotFetched('redirects', 'Too many redirects')
    } finally {
      forget()
      await agent.destroy()
    }
  }
}

/**
 * A signal that aborts after `ms`, or with `other`. Not `AbortSignal.any`, which doesn't hold on to
 * its timeouts, so some never fire. Call `forget` when done.
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
    throw new NotFetched('not-the-web', 'Not a public web address')
}

/** Every connection passes through here, with its name or address. */
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

/** We compare the whole origin, because another port may be another service. */
function isOwn({ protocol, host = '' }: buildConnector.Options, { ownOrigin }: Guard) {
  const origin = `${protocol}//${host}`
  return ownOrigin !== undefined && URL.canParse(origin) && new URL(origin).origin === ownOrigin
}

/** If a single address isn't public, we refuse the name. */
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
 * A page's text. If it's valid UTF-8, we read it as that, no matter what was declared, because text
 * in other encodings rarely is. Otherwise, we use the declared encoding, then the browsers'
 * default.
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
      // Only UTF-8 must decode strictly. A cut page may end with half a character.
      if (label) return new TextDecoder(label, { fatal: i === 0 }).decode(body, STREAM)
    } catch {
      // Wrong or unknown encoding.
    }
  return new TextDecoder('windows-1252').decode(body, STREAM)
}

/** Node 20 reads Windows-1252 as Latin-1 unless it streams. */
const STREAM = { stream: true }

/** Real pages stay below 100. Parsing time grows with the square of the depth. */
const DEPTH_MAX = 500

/** Parses another site's page, up to where it's nested deeper than any real one. */
export const parsePage = (html: string): CheerioAPI => load(html.slice(0, saneLength(html)))

function saneLength(html: string) {
  let depth = 0
  let end = html.length
  const parser = new Parser({
    onopentag() {
      depth++
      if (depth <= DEPTH_MAX) return
      end = parser.startIndex
      parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(html)
  return end
}
