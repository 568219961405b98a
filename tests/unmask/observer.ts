/**
 * An operator who watches the site live: a proxy in front of it records each request with its time, token, connection, sizes
 * and values. Over TLS it speaks HTTP/2.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { tokensIn, wordsIn } from './loot.ts'

export interface Seen {
  /** The time by the town's clock. */
  at: number
  connection: number
  isHttp2: boolean
  /** The account in the token, or in the response to a login. */
  account?: string | undefined
  method: string
  path: string
  status: number
  /** Bytes of the request's body, and of the response's. */
  up: number
  down: number
  hasBadge: boolean
  /** Keys, hashes, IDs and quarters in the request and its response. */
  said: string[]
  told: string[]
}

export interface Observer {
  /** HTTP/1.1. */
  url: string
  /** HTTP/2, with a self-signed certificate. */
  secureUrl: string
  log: Seen[]
  close(): Promise<void>
}

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/** Headers of a connection, and those that HTTP/2 doesn't have. Without `accept-encoding`, the response is readable. */
const OF_A_CONNECTION = /^(:.*|connection|keep-alive|transfer-encoding|accept-encoding|upgrade)$/

const withoutConnection = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.test(name)))

/** @param now the town's clock */
export async function openObserver(siteUrl: string, now: () => number): Promise<Observer> {
  const log: Seen[] = []
  const connections = new WeakMap<object, number>()
  let opened = 0
  const agent = new http.Agent({ keepAlive: true })

  async function pass(request: Request, response: Response) {
    const { method = '', url: path = '', headers } = request
    const session = 'stream' in request ? (request.stream.session as object) : request.socket
    const connection = connections.get(session) ?? ++opened
    connections.set(session, connection)
    const at = now()
    const body = await buffer(request)
    const sent = http.request(siteUrl + path, {
      ...{ agent, method },
      headers: {
        ...withoutConnection(headers),
        host: String(headers[':authority'] ?? headers.host),
        ...(body.length > 0 && { 'content-length': body.length }),
      },
    })
    response.on('close', () => sent.destroy())
    sent.on('error', () => response.destroy())
    sent.on('response', (answer) => {
      const { statusCode: status = 0, headers: given } = answer
      response.writeHead(status, withoutConnection(given))
      const chunks: Buffer[] = []
      const isJson = given['content-type']?.includes('json') === true
      let down = 0
      answer.on('data', (chunk: Buffer) => {
        down += chunk.length
        if (isJson) chunks.push(chunk)
        ;(response as ServerResponse).write(chunk)
      })
      answer.on('end', () => {
        response.end()
        const [asked, told] = [parsed([body]), parsed(chunks)]
        log.push({
          ...{ at, connection, isHttp2: 'stream' in request, method, path, status },
          ...{ up: body.length, down },
          account: accountIn(headers.authorization) ?? accountOf(path, told),
          hasBadge: typeof (asked as { badge?: unknown })?.badge === 'object',
          said: valuesIn(wordsIn(path), asked),
          told: valuesIn([], told),
        })
      })
    })
    sent.end(body)
  }

  const handle = (request: Request, response: Response) =>
    void pass(request, response).catch(() => response.destroy())
  const plain = http.createServer({ keepAliveTimeout: 0 }, handle)
  const secure = http2.createSecureServer({ ...certificate(), allowHTTP1: true }, handle)
  const sessions = new Set<http2.ServerHttp2Session>()
  secure.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  return {
    url: `http://${await listening(plain)}`,
    secureUrl: `https://${await listening(secure)}`,
    log,
    async close() {
      agent.destroy()
      plain.closeAllConnections()
      for (const session of sessions) session.destroy()
      for (const server of [plain, secure])
        await new Promise((resolve) => server.close(() => resolve(undefined)))
    },
  }
}

async function listening(server: Server | http.Server | http2.Http2SecureServer) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function parsed(chunks: Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

/** Too short for a token, but can mark one person. */
const QUARTER = /\b\d{4}-Q\d\b/g
const valuesIn = (words: string[], json: unknown) => [
  ...new Set([...words, ...tokensIn(json), ...(JSON.stringify(json ?? '').match(QUARTER) ?? [])]),
]

function accountIn(authorization = ''): string | undefined {
  const claims = authorization.replace(/^Bearer /, '').split('.')[1]
  return claims && (parsed([Buffer.from(claims, 'base64url')]) as { sub?: string })?.sub
}

const accountOf = (path: string, told: unknown) =>
  path.startsWith('/auth/') ? (told as { user?: { id?: string } })?.user?.id : undefined

/** A self-signed X.509 certificate. */
function certificate() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = (tag: number, ...parts: Uint8Array[]) => {
    const inside = Buffer.concat(parts)
    const { length } = inside
    const size = length < 128 ? [] : length < 256 ? [0x81] : [0x82, length >> 8]
    return Buffer.concat([Buffer.of(tag, ...size, length & 255), inside])
  }
  const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
  const ecdsaWithSha256 = sequence(der(6, Buffer.from('2a8648ce3d040302', 'hex')))
  const commonName = sequence(
    der(6, Buffer.from('550403', 'hex')),
    der(0x0c, Buffer.from('127.0.0.1')),
  )
  const name = sequence(der(0x31, commonName))
  const years = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  // Version 3, serial number 1.
  const numbers = [der(0xa0, der(2, Buffer.of(2))), der(2, Buffer.of(1))]
  const body = sequence(...numbers, ecdsaWithSha256, name, sequence(...years), name, spki)
  const signature = der(3, Buffer.of(0), sign('sha256', body, privateKey as KeyObject))
  const cert = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
  }
}
