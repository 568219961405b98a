import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests that trickle in hold connections, so a body must arrive within this. */
export const BODY_WITHIN_MS = 30_000
/** Beyond the usual size, a body must arrive at least this fast. */
const BYTES_PER_MS = 128
const USUAL_BYTES = 256 * 1024

/** Answers 408 if the body isn't here in time. */
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
