/** A server context with the person who asks. */
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Actor } from './actor.ts'

export interface Ctx extends ServerContext {
  actor: Actor
  /** Where the request came from, to count it in memory; it goes into no table and no log. */
  network: string
  /** Nobody waits for the answer any more. */
  hasLeft?: () => boolean
}
