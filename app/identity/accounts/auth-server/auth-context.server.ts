import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

export interface AuthCtx extends ServerContext {
  auth: AuthSettings
}
