/** What becomes of somebody's suggestions when the account goes. */
import { removeOwn } from '#app/api/auth/own-rows.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { SUGGESTED } from './edit-keys.server.ts'

/** Those that wait go; the others stay in the history, under keys that nobody can make any more. */
export async function forgetEditor({ db }: Pick<ServerContext, 'db'>, { root }: { root: Buffer }) {
  await removeOwn(db, SUGGESTED, root)
}
