/**
 * Which refresh tokens were exchanged already: of each session the newest number, whether it was used, and when it and
 * the three before it were given out. In memory only, under keyed hashes of the sessions: refresh-token-store.server.ts
 * stores them now and then, and publishes them to other processes.
 */
import { LRUCache } from 'lru-cache'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { dayNumber, type RefreshToken, SESSION_DAYS, secondsOf } from './refresh-tokens.server.ts'

/** Two tabs may present the same token within this time; later it is a stolen one, once the one given for it was used. */
export const REUSE_WINDOW_S = 10
/** Tabs that wake up together may exchange more than once within the window. */
const EXCHANGES_KEPT = 4
/** Some 120 MB; whoever was not seen for longest is forgotten first. */
const SESSIONS_AT_MOST = 500_000

/** That a token with this number was given out. */
export interface Exchange {
  /** A keyed hash of the session: 16 bytes, as latin1, which takes the least memory. */
  session: string
  number: number
  /** In seconds; 0 where nobody needs to know any more. */
  at: number
  /** On which the newest token ends. */
  lastDay: number
  /** Whether somebody came with what was given out then. */
  isUsed: boolean
}

interface Known {
  number: number
  lastDay: number
  isUsed: boolean
  /** When the newest, the one before it, and so on were given out; 0 where nobody knows. */
  times: number[]
}

type Numbered = Pick<RefreshToken, 'sessionId' | 'number'>

export interface RefreshTokenExchanges {
  /**
   * Exchanges a token: the number of the one to be given for it; undefined for one that was exchanged before,
   * unless it is presented just once more, or nobody used what was given for it: that answer may never have
   * arrived. Nothing is awaited, so of two at once the second sees the first.
   */
  exchange(token: Numbered, now: Date): number | undefined
  /** Somebody came with the access token of this number: the answer that held it arrived. */
  use(token: Numbered, now: Date): void
  /** Learns of exchanges that happened elsewhere, or before. */
  learn(exchanges: Iterable<Exchange>): void
  /** `hear` is called with each exchange that happens here, and with each first use. */
  onExchange(hear: (exchange: Exchange) => void): void
  /** Of every session whose newest token is still good, the newest number. Others may exchange meanwhile. */
  all(now: Date): Iterable<Exchange>
}

export function createRefreshTokenExchanges(
  secrets: Secrets,
  { most = SESSIONS_AT_MOST }: { most?: number } = {},
): RefreshTokenExchanges {
  // By size and not by `max`, for which it would take the memory at once.
  const sessions = new LRUCache<string, Known>({ maxSize: most, sizeCalculation: () => 1 })
  let tell = (_exchange: Exchange) => {}

  function note({ session, number, at, lastDay, isUsed }: Exchange) {
    const known = sessions.get(session)
    if (!known) {
      sessions.set(session, { number, lastDay, isUsed, times: [at] })
      return
    }
    const ahead = number - known.number
    known.lastDay = Math.max(known.lastDay, lastDay)
    if (ahead > 0) {
      const between = Math.min(ahead - 1, EXCHANGES_KEPT)
      known.times = [at, ...new Array(between).fill(0), ...known.times].slice(0, EXCHANGES_KEPT)
      known.number = number
      known.isUsed = isUsed
    } else if (-ahead < EXCHANGES_KEPT) {
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
        // The token after it was given out when it was exchanged.
        const at = known.times[known.number - number - 1] ?? 0
        const isLost = number === known.number - 1 && !known.isUsed
        // Of another process, whose clock may be a little ahead.
        const isAgain = Math.abs(second - at) <= REUSE_WINDOW_S
        return isLost || isAgain ? known.number : undefined
      }
      const lastDay = dayNumber(now) + SESSION_DAYS
      const exchange = { session, number: number + 1, at: second, lastDay, isUsed: false }
      note(exchange)
      tell(exchange)
      return number + 1
    },
    use({ sessionId, number }, now) {
      const session = hashOf(secrets, sessionId)
      const known = sessions.get(session)
      const isNewest = known?.number === number
      // The first of a session took no other one's place.
      if (number === 0 || number < (known?.number ?? 0) || (isNewest && known.isUsed)) return
      const lastDay = known?.lastDay ?? dayNumber(now) + SESSION_DAYS
      // Not heard of yet, or forgotten in a crash: as if it was given out now, so that a second tab may still ask.
      const at = isNewest ? (known.times[0] ?? 0) : secondsOf(now)
      const used = { session, number, at, lastDay, isUsed: true }
      note(used)
      tell(used)
    },
    learn(exchanges) {
      for (const exchange of exchanges) note(exchange)
    },
    onExchange(hear) {
      tell = hear
    },
    *all(now) {
      const today = dayNumber(now)
      // Whoever is exchanged meanwhile changes the order.
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
