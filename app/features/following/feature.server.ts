import type { Feature } from '../../api/feature.server.ts'
import { followContract } from './follow.contract.ts'
import { followHandlers } from './follow-api.server.ts'
import { forgetFollower } from './follow-commands.server.ts'

export const following: Feature = {
  routes({ bind }) {
    bind(followContract, followHandlers)
  },
  forget: ({ authorKey }, { base }) => forgetFollower(base, authorKey),
}
