/**
 * Who somebody is to the site, remembered for some seconds: the requests of one page ask it once. In memory
 * only, per access token, and let go of at once in every process when anything of it changes. D52.
 */
import { LRUCache } from 'lru-cache'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import type { Actor } from './actor.ts'
import type { AccessClaims } from './tokens.server.ts'

/** Also how late a change is heard of where the connection for news has died without a word. */
const REMEMBERED_MS = 5_000
/** Some 1 kB each. */
const REMEMBERED_AT_MOST = 10_000
const PLACE = 'changed actor'

const changes = createChannel('changed_actors')

/**
 * To be called in the transaction of whatever changes what `personBehind` reads: each process lets go of
 * who has this id, of an account or of a session. It goes out sealed, so that what the database hands on
 * names nobody, and no two tellings are alike.
 */
export const publishActorChange = (
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  ...ids: string[]
) =>
  changes.publish(
    db,
    ids.map((id) => secrets.seal(id, PLACE)),
  )

export interface RememberedActors {
  /** Awaited before anybody is answered. */
  start(): Promise<void>
  /** Whoever stands behind verified claims: as remembered, else what `find` answers. */
  actorOf(claims: AccessClaims, find: () => Promise<Actor | undefined>): Promise<Actor | undefined>
}

export function createRememberedActors(
  { db, secrets }: Pick<ServerContext, 'secrets'> & { db: OpenDatabase },
  clock: Pick<Performance, 'now'> = performance,
): RememberedActors {
  // By the claims themselves: `Tokens.verify` answers the same ones for the same token.
  const actors = new LRUCache<AccessClaims, Actor>({
    max: REMEMBERED_AT_MOST,
    ttl: REMEMBERED_MS,
    perf: clock,
    ttlResolution: 0,
  })
  /** What was found before a change was heard of is not remembered after it. */
  let heard = 0

  function forget(id: string) {
    heard++
    for (const claims of actors.keys())
      if (claims.sub === id || claims.session_id === id) actors.delete(claims)
  }

  return {
    async start() {
      db.news.onChange(() => {
        heard++
        actors.clear()
      })
      await changes.subscribe(db, (payload) => forget(secrets.open(payload, PLACE)))
    },
    async actorOf(claims, find) {
      // While others may write unheard, nothing is believed but the database.
      if (db.news.state !== 'ok') return find()
      const known = actors.get(claims)
      if (known) return known
      const before = heard
      const actor = await find()
      if (actor && isToBeRemembered(actor) && heard === before) actors.set(claims, actor)
      return actor
    },
  }
}

/** Who could harm everybody is asked for each time. */
const isToBeRemembered = ({ role, secondFactor }: Actor) =>
  (role === 'member' || role === 'employer') && secondFactor === undefined
