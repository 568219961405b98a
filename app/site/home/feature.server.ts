import type { Feature } from '#app/api/feature.server.ts'
import { homeContract } from './home.contract.ts'
import { homeHandlers } from './home-api.server.ts'

export const home: Feature = {
  routes({ bind }) {
    bind(homeContract, homeHandlers)
  },
}
