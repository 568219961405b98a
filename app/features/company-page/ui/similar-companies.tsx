/** Others of a company's category. */

import type { CompanyPageView } from '../../companies/company.contract.ts'
import { CompanyCard } from '../../companies/ui/company-card.tsx'
import { useSeesViewCounts, ViewCount } from '../../tracking/ui/view-counts.ts'

export function SimilarCompanies({ companies }: { companies: CompanyPageView['similar'] }) {
  const seesViews = useSeesViewCounts()
  if (companies.length === 0) return null
  return (
    <section aria-labelledby="similar" className="border-t border-line pt-8 print:hidden">
      <h2 id="similar" className="font-serif text-2xl font-medium tracking-tight">
        Similar companies
      </h2>
      <ul className="mt-5 grid gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-4">
        {companies.map((company) => (
          <li key={company.id} className="flex min-w-0">
            <CompanyCard
              company={company}
              className="w-full"
              extra={seesViews && <ViewCount companyId={company.id} among={companies} />}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
