import { CompanyJobs } from '#app/jobs/ui/job-list.tsx'

export default CompanyJobs
