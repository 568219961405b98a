import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { Actor } from './actor.ts'

export interface Ctx extends ServerContext {
  actor: Actor
  /** The sender's network, for counting in memory. Never stored or logged. */
  network: string
  hasLeft?: () => boolean
}
