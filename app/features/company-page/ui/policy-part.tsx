/** What a company says of days in the office, in its Ratings tab. */
import { Skeleton } from '../../../ui/skeleton.tsx'
import { stillPart } from '../../../ui/still-part.tsx'

export const PolicyPart = stillPart(
  () => import('./policy-facts.tsx').then((it) => it.PolicyFacts),
  <Skeleton className="h-28 w-full" />,
)
