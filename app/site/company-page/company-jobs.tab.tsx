/** The Jobs tab of a company's page. */
import { CompanyJobs } from '#app/jobs/ui/company-jobs.tsx'

export default CompanyJobs
