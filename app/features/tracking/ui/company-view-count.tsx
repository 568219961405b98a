/** How often a company's page was seen: only administrators are told, and only they load it. Spec §2.6. */

import { useSession } from '../../../session/session.data.ts'
import { pagePart } from '../../../ui/page-part.tsx'

export const CompanyViewCount = pagePart(
  () => import('./view-count.tsx').then((it) => it.ViewCount),
  null,
)

/** Asked once for a list, not by each of its cards. */
export const useSeesViewCounts = () => useSession().me?.can.includes('seeViewCounts') === true
