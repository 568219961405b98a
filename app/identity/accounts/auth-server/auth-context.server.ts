import type { AuthSettings } from '#app/api/auth/auth-settings.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

export interface AuthCtx extends ServerContext {
  auth: AuthSettings
}
