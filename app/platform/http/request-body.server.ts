import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { badRequest } from './refusal.ts'

/**
 * Replaces Fastify's parser. If a text has two fields with the same name, Fastify's keeps the last,
 * and two readers of one text must never see different things.
 */
export function parseJsonBodies(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) =>
      parse(request, text, (error, body) => {
        if (error) return done(isJson(text) ? badRequest(NO_NAMES) : error)
        const repeated = repeatedField(text)
        if (repeated === undefined) return done(null, body)
        done(badRequest(`“${repeated.slice(0, NAME_MAX)}” appears twice in the request`))
      }),
  )
}

const NAME_MAX = 40
/** Names that mean something special in JavaScript. */
const NO_NAMES = 'A field can’t be called “__proto__”, and “constructor” can’t contain “prototype”'

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The first name that occurs twice in an object of this JSON, no matter how it's escaped. Takes linear time. */
export function repeatedField(json: string): string | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '{') open.push(new Set())
    else if (json[at] === '}') open.pop()
    else if (json[at] === '"') {
      const from = at
      at = endOfText(json, from)
      if (!isBeforeColon(json, at)) continue
      const name = JSON.parse(json.slice(from, at + 1)) as string
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}

function endOfText(json: string, from: number) {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function isBeforeColon(json: string, at: number) {
  let next = at + 1
  while (/\s/.test(json[next] ?? '')) next++
  return json[next] === ':'
}

/** Requests that trickle in hold connections, so a body must arrive within this. */
const BODY_WITHIN_MS = 30_000
/** Beyond the usual size, a body must arrive at least this fast. */
const BYTES_PER_MS = 128
const USUAL_BYTES = 256 * 1024

/** Answers 408 if the body doesn't arrive in time. */
export function cutSlowBody(
  request: IncomingMessage,
  response: ServerResponse,
  withinMs = BODY_WITHIN_MS,
) {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && !Number(length)) return
  const beyond = Math.max(0, Number(length ?? 0) - USUAL_BYTES)
  const timer = setTimeout(
    () => {
      if (request.complete || request.destroyed) return
      if (response.headersSent) return request.destroy()
      const body = JSON.stringify({
        error: { code: 'too-slow', message: 'This request took too long to arrive' },
      })
      request.socket.end(
        [
          'HTTP/1.1 408 Request Timeout',
          'content-type: application/json; charset=utf-8',
          `content-length: ${Buffer.byteLength(body)}`,
          'cache-control: no-store',
          'connection: close',
          '',
          body,
        ].join('\r\n'),
        () => request.destroy(),
      )
    },
    withinMs + beyond / BYTES_PER_MS,
  )
  timer.unref()
  const rest = () => clearTimeout(timer)
  request.once('end', rest)
  response.once('close', rest)
}
