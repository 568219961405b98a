import { CompanyJobs } from '#app/jobs/ui/company-jobs.tsx'

export default CompanyJobs
