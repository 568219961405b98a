import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { PayTab } from '#app/ratings/pay/ui/pay-tab.tsx'

const CompanyPay = ({ company }: { company: CompanyPageView }) => (
  <PayTab company={{ id: company.id, name: company.name, path: companyPath(company) }} />
)

export default CompanyPay
