/** The tabs of a company's page, whose code comes with them. */
import { pagePart } from '../../../ui/page-part.tsx'

export const CompanyThreadsTab = pagePart(() =>
  import('../../discussions/ui/company-threads.tsx').then((it) => it.CompanyThreads),
)
export const CompanyRatingsTab = pagePart(() =>
  import('./company-ratings.tsx').then((it) => it.CompanyRatings),
)
export const AboutTab = pagePart(() => import('./about-tab.tsx').then((it) => it.AboutTab))
