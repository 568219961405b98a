/** The Jobs tab of a company's page. */
import { CompanyJobs, type CompanyJobsProps } from '../jobs/ui/company-jobs.tsx'

export default function CompanyJobsTab({ company }: CompanyJobsProps) {
  return <CompanyJobs company={company} />
}
