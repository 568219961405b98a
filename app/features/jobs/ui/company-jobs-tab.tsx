/** The Jobs tab of a company's page, whose code comes with it. */
import { pagePart } from '../../../ui/page-part.tsx'

export const CompanyJobsTab = pagePart(() =>
  import('./company-jobs.tsx').then((it) => it.CompanyJobs),
)
