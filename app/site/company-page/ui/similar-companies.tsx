/** From the same category, most discussed first. */
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { CompanyScore } from '#app/companies/ui/company-score.tsx'

export function SimilarCompanies({ companies, className }: SimilarCompaniesProps) {
  if (companies.length === 0) return null
  return (
    <section aria-labelledby="similar" className={className}>
      <h2 id="similar" className="text-sm font-semibold">
        Similar companies
      </h2>
      <ul className="mt-2 -mx-2">
        {companies.map((company) => (
          <li
            key={company.id}
            className="relative flex min-h-12 items-center gap-3 rounded-lg px-2 py-1.5 text-sm hover:bg-sunken"
          >
            <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
            <a
              href={companyPath(company)}
              dir="auto"
              className="line-clamp-2 min-w-0 flex-1 font-medium after:absolute after:inset-0"
            >
              {company.name}
            </a>
            <CompanyScore company={company} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SimilarCompaniesProps {
  companies: CompanyPageView['similar']
  className?: string
}
