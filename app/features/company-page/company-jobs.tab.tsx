/** The Jobs tab of a company's page. */
import { CompanyJobs } from '../jobs/ui/company-jobs.tsx'

export default CompanyJobs
