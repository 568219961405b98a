/** How often a company's page was seen: only administrators are told, and only they load it. Spec §2.6. */
import { pagePart } from '../../../ui/page-part.tsx'
import { useSession } from '../../accounts/session.data.ts'
import type { ViewCountProps } from './view-count.tsx'

const ViewCount = pagePart(() => import('./view-count.tsx').then((it) => it.ViewCount), null)

export const CompanyViewCount = (props: ViewCountProps) =>
  useSession().me?.can.includes('seeViewCounts') ? <ViewCount {...props} /> : null
