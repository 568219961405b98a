/**
 * Has the other processes know which tokens were exchanged here: sealed, of one size, from a timer, so that
 * what the database keeps of it names nobody and says of no session when it was used.
 */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { packed, unpacked } from './exchanges-packed.server.ts'
import type { Exchange, SessionNumbers } from './session-numbers.server.ts'

const CHANNEL = 'session_news'
const TELL_EVERY_MS = 1_000
/** Of one message, which the database takes up to 8,000 characters of. */
const EXCHANGES = 64
const PLACE = 'news of sessions'
/** While the database is away; whoever comes later is told of the newest. */
const WAITING_AT_MOST = 50_000

type Ctx = Pick<ServerContext, 'secrets'> & { db: OpenDatabase }

export function tellNumbers({ db, secrets }: Ctx, numbers: SessionNumbers) {
  let waiting: Exchange[] = []
  let timer: NodeJS.Timeout | undefined
  async function tell() {
    if (waiting.length === 0) return
    const told = waiting
    waiting = []
    const payloads: string[] = []
    for (let from = 0; from < told.length; from += EXCHANGES) {
      const some = packed(told.slice(from, from + EXCHANGES), EXCHANGES)
      payloads.push(secrets.seal(some.toString('base64'), PLACE))
    }
    await db
      .query(sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, payload)
          from unnest(${payloads}::text[]) as told (payload)`)
      .catch(() => {
        waiting = [...told, ...waiting].slice(-WAITING_AT_MOST)
      })
  }
  return {
    async start() {
      numbers.onExchange((exchange) => waiting.push(exchange))
      await db.listen(CHANNEL, (payload) => {
        if (payload) numbers.learn(unpacked(Buffer.from(secrets.open(payload, PLACE), 'base64')))
      })
      timer = setInterval(tell, TELL_EVERY_MS).unref()
    },
    stop() {
      clearInterval(timer)
      return tell()
    },
  }
}
