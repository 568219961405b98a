/** The Discussions tab of a company's page. */
import { CompanyThreads } from '../discussions/threads/ui/company-threads.tsx'

export default CompanyThreads
