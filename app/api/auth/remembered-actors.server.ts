/**
 * Caches who people are for some seconds, so one page's requests ask once. In memory only, per
 * access token, and dropped at once in every process when something changes. D52.
 */
import { LRUCache } from 'lru-cache'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import type { Actor } from './actor.ts'
import type { AccessClaims } from './tokens.server.ts'

/** Changes come this late if the connection for events died silently. */
const REMEMBERED_MS = 5_000
/** About 1 kB each. */
const REMEMBERED_AT_MOST = 10_000
const SEAL_LABEL = 'changed actor'

const changes = createChannel('changed_actors')

/**
 * Call it in every transaction that changes what `personBehind` reads: each process drops this
 * account or session. Sealed, so the event identifies no one, and no two are alike.
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
      // While changes may be missed, only the database counts.
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

/** Roles that could harm everyone are read each time. */
const isToBeRemembered = ({ role, secondFactor }: Actor) =>
  (role === 'member' || role === 'employer') && secondFactor === undefined
