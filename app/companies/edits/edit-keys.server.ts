/** Under which keys suggestions lie. D40. */
import { asBytea, type Carried } from '#app/api/auth/carry-over.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import { type OwnRows, removeOwn } from '#app/api/auth/own-rows.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { OPEN_SUGGESTIONS_MAX } from './company-edit.ts'

/** Those that wait: what was decided has no number any more. */
export const SUGGESTED: OwnRows = {
  table: 'company_edits',
  kind: 'suggestion',
  max: OPEN_SUGGESTIONS_MAX,
}

/** Who suggested it, as this company knows them. */
export const editKey = (root: Buffer, companyId: string) =>
  contextKey(root, SUGGESTED.kind, companyId)

export const carriedEdits: Carried = {
  table: SUGGESTED.table,
  // An administrator's change has no author: there the column is empty.
  order: { author_key: 'text', id: 'bigint' },
  isNumbered: ({ status }) => status === 'suggested',
  carry({ author_key, ...edit }, { root }, { number }) {
    if (author_key === '') return edit
    const [mine] = numberKeys(root, SUGGESTED.kind, number, 1)
    const isWaiting = mine && edit.status === 'suggested' && number < SUGGESTED.max
    return {
      ...edit,
      key: asBytea(editKey(root, edit.company_id)),
      mine: isWaiting ? asBytea(mine) : null,
    }
  },
}

/** Those that wait go; the others stay in the history, under keys that nobody can make any more. */
export async function forgetEditor({ db }: Pick<ServerContext, 'db'>, { root }: { root: Buffer }) {
  await removeOwn(db, SUGGESTED, root)
}
