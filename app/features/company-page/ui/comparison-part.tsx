/** Companies side by side, whose code comes with them. */
import { pagePart } from '../../../ui/page-part.tsx'

export const ComparisonPart = pagePart(() =>
  import('./compare-table.tsx').then((it) => it.Comparison),
)
