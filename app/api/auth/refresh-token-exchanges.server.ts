/**
 * Which refresh tokens were exchanged: each session's newest number, whether it was used, and when
 * the last four were issued. In memory only, under keyed hashes. refresh-token-store.server.ts
 * stores them regularly and publishes them to other processes.
 */
import { LRUCache } from 'lru-cache'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { dayNumber, type RefreshToken, SESSION_DAYS, secondsOf } from './refresh-tokens.server.ts'

/** Two tabs may present the same token within this time. After that, reuse means theft, if the newer token was used. */
export const REUSE_WINDOW_S = 10
/** Tabs that wake up together may exchange several times within the window. */
const TIMES_MAX = 4
/** About 120 MB. The least recently seen sessions go first. */
const SESSIONS_AT_MOST = 500_000

export interface Exchange {
  /** A keyed hash of the session: 16 bytes as latin1, the most compact form. */
  session: string
  number: number
  /** When the token was exchanged, in seconds. 0 once no one needs to know. */
  at: number
  /** The newest token's last day. */
  lastDay: number
  /** Whether the issued token was used. */
  isUsed: boolean
}

interface Known {
  number: number
  lastDay: number
  isUsed: boolean
  /** When the newest tokens were issued. 0 if unknown. */
  times: number[]
}

type Numbered = Pick<RefreshToken, 'sessionId' | 'number'>

export interface RefreshTokenExchanges {
  /**
   * Exchanges a token. Returns the next number, or undefined if it was exchanged before. We allow one repetition, and
   * any as long as the newer token was never used, because its answer may have been lost. Synchronous, so the second of
   * two concurrent calls sees the first.
   */
  exchange(token: Numbered, now: Date): number | undefined
  /** Notes that this number's access token was used, so its answer arrived. */
  use(token: Numbered, now: Date): void
  learn(exchanges: Iterable<Exchange>): void
  /** `subscriber` gets each exchange here, and each first use. */
  onExchange(subscriber: (exchange: Exchange) => void): void
  /** The newest number of each live session. Sessions may exchange tokens meanwhile. */
  all(now: Date): Iterable<Exchange>
}

export function createRefreshTokenExchanges(
  secrets: Secrets,
  { maxSessions = SESSIONS_AT_MOST }: { maxSessions?: number } = {},
): RefreshTokenExchanges {
  // We set `maxSize`, because `max` would allocate all its memory immediately.
  const sessions = new LRUCache<string, Known>({ maxSize: maxSessions, sizeCalculation: () => 1 })
  let publish = (_exchange: Exchange) => {}

  function note({ session, number, at, lastDay, isUsed }: Exchange) {
    const known = sessions.get(session)
    if (!known) {
      sessions.set(session, { number, lastDay, isUsed, times: [at] })
      return
    }
    const ahead = number - known.number
    known.lastDay = Math.max(known.lastDay, lastDay)
    if (ahead > 0) {
      const between = Math.min(ahead - 1, TIMES_MAX)
      known.times = [at, ...new Array(between).fill(0), ...known.times].slice(0, TIMES_MAX)
      known.number = number
      known.isUsed = isUsed
    } else if (-ahead < TIMES_MAX) {
      while (known.times.length <= -ahead) known.times.push(0)
      known.times[-ahead] = Math.max(known.times[-ahead] ?? 0, at)
      if (ahead === 0) known.isUsed ||= isUsed
    }
  }

  return {
    exchange({ sessionId, number }, now) {
      const session = hashOf(secrets, sessionId)
      const known = sessions.get(session)
      const second = secondsOf(now)
      if (known && number < known.number) {
        // A token is exchanged when the next one is issued.
        const at = known.times[known.number - number - 1] ?? 0
        const isLost = number === known.number - 1 && !known.isUsed
        // Another process's clock may be slightly ahead.
        const isAgain = Math.abs(second - at) <= REUSE_WINDOW_S
        return isLost || isAgain ? known.number : undefined
      }
      const lastDay = dayNumber(now) + SESSION_DAYS
      const exchange = { session, number: number + 1, at: second, lastDay, isUsed: false }
      note(exchange)
      publish(exchange)
      return number + 1
    },
    use({ sessionId, number }, now) {
      const session = hashOf(secrets, sessionId)
      const known = sessions.get(session)
      const isNewest = known?.number === number
      // A session's first token replaced none.
      if (number === 0 || number < (known?.number ?? 0) || (isNewest && known.isUsed)) return
      const lastDay = known?.lastDay ?? dayNumber(now) + SESSION_DAYS
      // Unknown, or forgotten in a crash: treated as issued now, so a second tab may still exchange.
      const at = isNewest ? (known.times[0] ?? 0) : secondsOf(now)
      const used = { session, number, at, lastDay, isUsed: true }
      note(used)
      publish(used)
    },
    learn(exchanges) {
      for (const exchange of exchanges) note(exchange)
    },
    onExchange(subscriber) {
      publish = subscriber
    },
    *all(now) {
      const today = dayNumber(now)
      // A copy, because concurrent exchanges change the order.
      for (const session of [...sessions.keys()]) {
        const known = sessions.peek(session)
        if (!known) continue
        const { number, lastDay, isUsed, times } = known
        if (lastDay < today) sessions.delete(session)
        else yield { session, number, at: times[0] ?? 0, lastDay, isUsed }
      }
    },
  }
}

const hashOf = (secrets: Secrets, sessionId: string) =>
  Buffer.from(secrets.hash('session numbers', sessionId), 'base64url').toString('latin1', 0, 16)
