import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { followContract } from './follow.contract.ts'
import { followHandlers } from './follow-api.server.ts'
import { forgetFollower } from './follow-commands.server.ts'
import { carriedFollows } from './follow-keys.server.ts'

export const following: Feature = {
  routes({ bind }) {
    bind(followContract, followHandlers)
  },
  nightly: ({ db }) => [{ name: 'reorder follows', run: () => reorderTable(db, 'follows') }],
  carried: [carriedFollows],
  forget: ({ root }, { base }) => forgetFollower(base, root),
}
