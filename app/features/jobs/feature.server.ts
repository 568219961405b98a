import type { Feature } from '../../api/feature.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { removeJobsOf } from './postings/company-removal.server.ts'

export const jobs: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => ({
      jobs: await removeJobsOf(db, companyId),
    })),
  ],
}
