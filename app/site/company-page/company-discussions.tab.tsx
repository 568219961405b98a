import { CompanyThreads } from '#app/community/discussions/threads/ui/company-threads.tsx'

export default CompanyThreads
