/** The Jobs tab of a company's page. */
export { CompanyJobs as default } from '../jobs/ui/company-jobs.tsx'
