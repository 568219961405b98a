import type { Feature } from '../../api/feature.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { keepRemovalCounts } from './removal-counts.server.ts'

export const moderation: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => {
      await keepRemovalCounts(db, companyId)
      return {}
    }),
  ],
}
