/**
 * A bearer token for a visitor's browser: once, within ten minutes, it has the owner notified of the request just made,
 * and nothing else. It consists of the request's id and its end under a keyed hash, so nothing is stored.
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

/** Undefined for a foreign or expired token. */
export function requestOfToken({ secrets, now }: Sealing, token: string): string | undefined {
  const [, requestId, end, mark] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (!requestId || !end || !mark || Number(end) * MINUTE_MS < now().getTime()) return undefined
  const wanted = secrets.hash('company request notice', requestId, end)
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(mark)) ? requestId : undefined
}
