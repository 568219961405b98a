import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { InterviewsTab } from '#app/ratings/interviews/ui/interviews-tab.tsx'

const CompanyInterviews = ({ company }: { company: CompanyPageView }) => (
  <InterviewsTab company={{ id: company.id, name: company.name, path: companyPath(company) }} />
)

export default CompanyInterviews
