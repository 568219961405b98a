import type { Feature } from '../../api/feature.server.ts'
import { followContract } from './follow.contract.ts'
import { followHandlers } from './follow-api.server.ts'

export const following: Feature = {
  routes({ bind }) {
    bind(followContract, followHandlers)
  },
}
