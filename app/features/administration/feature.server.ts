import type { Feature } from '../../api/feature.server.ts'
import { administrationContract } from './administration.contract.ts'
import { administrationHandlers } from './administration-api.server.ts'

export const administration: Feature = {
  routes({ bind, auth }) {
    bind(administrationContract, administrationHandlers(auth))
  },
}
