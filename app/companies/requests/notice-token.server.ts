/**
 * The bearer token with which a visitor's browser may ask, once and for ten minutes, that the owner
 * hears of the request that it has just made. It opens nothing else, and nothing is stored of it: it
 * names the request and its own end, under a keyed hash.
 */
import { timingSafeEqual } from 'node:crypto'
import type { ServerContext } from '#app/platform/database/context.server.ts'

const LASTS_MINUTES = 10
const MINUTE_MS = 60_000

type Sealing = Pick<ServerContext, 'secrets' | 'now'>

export function noticeToken({ secrets, now }: Sealing, requestId: string): string {
  const end = String(Math.floor(now().getTime() / MINUTE_MS) + LASTS_MINUTES)
  return [requestId, end, secrets.hash('company request notice', requestId, end)].join('.')
}

/** The request of a token that is ours and has not ended. */
export function requestOfToken({ secrets, now }: Sealing, token: string): string | undefined {
  const [, requestId, end, mark] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (!requestId || !end || !mark || Number(end) * MINUTE_MS < now().getTime()) return undefined
  const wanted = secrets.hash('company request notice', requestId, end)
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(mark)) ? requestId : undefined
}
