/** What the deletion of a company needs of the features whose things go with it. */

import { logAdminAct } from './features/accounts/admin-log.server.ts'
import type { DeletionDesk } from './features/companies/company-deletion.server.ts'
import { removeThreadsAbout } from './features/discussions/company-removal.server.ts'
import { tellOfChange } from './features/discussions/live.server.ts'
import { removeRatingsOf } from './features/ratings/company-removal.server.ts'

export const companyDeletion: DeletionDesk = {
  removeThreads: removeThreadsAbout,
  removeRatings: removeRatingsOf,
  tellOfThread: tellOfChange,
  note: logAdminAct,
}
