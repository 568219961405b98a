/** Under which keys suggestions lie. D40. */

import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { type OwnRows, removeOwn } from '#app/api/auth/own-rows.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { OPEN_SUGGESTIONS_MAX } from './company-edit.ts'

/** Pending ones: decided ones have no number. */
export const SUGGESTED: OwnRows = {
  table: 'company_edits',
  kind: 'suggestion',
  max: OPEN_SUGGESTIONS_MAX,
}

/** Its author's key within this company. */
export const editKey = (root: Buffer, companyId: string) =>
  contextKey(root, SUGGESTED.kind, companyId)

/** Those that wait go; the others stay in the history, under keys that nobody can make any more. */
export async function forgetEditor({ db }: Pick<ServerContext, 'db'>, { root }: { root: Buffer }) {
  await removeOwn(db, SUGGESTED, root)
}
