/** The keys of suggestions. D40. */
import { asBytea, type Carried } from '#app/api/auth/carry-over.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
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

export const carriedEdits: Carried = {
  table: SUGGESTED.table,
  // Administrators' changes have no author: there the column is empty.
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

/** Deletes pending ones; the others stay in the history, under keys that no one can make anymore. */
export async function forgetEditor({ db }: Pick<ServerContext, 'db'>, { root }: { root: Buffer }) {
  await removeOwn(db, SUGGESTED, root)
}
