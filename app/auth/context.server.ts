/** A server context with the person who asks. */
import type { ServerContext } from '../server/context.server.ts'
import type { Actor } from './actor.ts'

export interface Ctx extends ServerContext {
  actor: Actor
}
