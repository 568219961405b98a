/** What the commands of signing in need besides the data. */
import type { AuthSettings } from '../../../auth/auth-settings.server.ts'
import type { ServerContext } from '../../../server/context.server.ts'

export interface AuthCtx extends ServerContext {
  auth: AuthSettings
}
