/**
 * Caches who people are for a few seconds, so a page's requests query it only once. The cache is
 * per access token, in memory only. When something changes, every process drops its entry
 * immediately. D52.
 */
import { LRUCache } from 'lru-cache'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { Actor } from './actor.ts'
import type { AccessClaims } from './tokens.server.ts'

/** If the connection for events dies silently, changes arrive this late. */
const REMEMBERED_MS = 5_000
/** About 1 kB each. */
const REMEMBERED_AT_MOST = 10_000
const SEAL_LABEL = 'changed actor'

const changes = createChannel('changed_actors')

/**
 * Call it in every transaction that changes what `personBehind` reads: each process drops this
 * account or session. The event is sealed, so it identifies no one, and no two look alike.
 */
export const broadcastActorChange = (
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  ...ids: string[]
) =>
  changes.broadcast(
    db,
    ids.map((id) => secrets.seal(id, SEAL_LABEL)),
  )

export interface RememberedActors {
  start(): Promise<void>
  /** The cached actor of verified claims, or else what `find` returns. */
  actorOf(claims: AccessClaims, find: () => Promise<Actor | undefined>): Promise<Actor | undefined>
}

export function createRememberedActors(
  { db, secrets }: Pick<ServerContext, 'secrets'> & { db: OpenDatabase },
  clock: Pick<Performance, 'now'> = performance,
): RememberedActors {
  // Keyed by the claims object, which `Tokens.verify` returns for the same token.
  const actors = new LRUCache<AccessClaims, Actor>({
    max: REMEMBERED_AT_MOST,
    ttl: REMEMBERED_MS,
    perf: clock,
    ttlResolution: 0,
  })
  /** Counts changes, so results from before a change aren't cached after it. */
  let changesSeen = 0

  function forget(id: string) {
    changesSeen++
    for (const claims of actors.keys())
      if (claims.sub === id || claims.session_id === id) actors.delete(claims)
  }

  return {
    async start() {
      db.eventChannel.onChange(() => {
        changesSeen++
        actors.clear()
      })
      await changes.subscribe(db, (payload) => forget(secrets.open(payload, SEAL_LABEL)))
    },
    async actorOf(claims, find) {
      // While we may be missing changes, we only trust the database.
      if (db.eventChannel.state !== 'ok') return find()
      const known = actors.get(claims)
      if (known) return known
      const before = changesSeen
      const actor = await find()
      if (actor && isToBeRemembered(actor) && changesSeen === before) actors.set(claims, actor)
      return actor
    },
  }
}

/** We read roles that could harm everyone each time. */
const isToBeRemembered = ({ role, secondFactor }: Actor) =>
  (role === 'member' || role === 'employer') && secondFactor === undefined
