import type { ReactNode } from 'react'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { FACT_FIELDS, FACT_NAMES, factText, placeText } from '#app/companies/edits/company-facts.ts'
import { policyText } from '#app/companies/edits/company-policy.ts'
import { WebsiteLink } from '#app/companies/ui/website-link.tsx'

export default function AboutTab({ company }: { company: CompanyPageView }) {
  const added = new Date(company.createdAt).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const place = placeText(company)
  return (
    <dl className="grid max-w-2xl gap-y-5 text-[0.9375rem] sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Fact name="What it does">{company.description ?? 'Not added yet'}</Fact>
      <Fact name="Category">{company.category}</Fact>
      <Fact name="Website">
        {company.website ? <WebsiteLink website={company.website} /> : 'Not known'}
      </Fact>
      {place && <Fact name={FACT_NAMES.headquarters}>{place}</Fact>}
      {FACT_FIELDS.map((field) => {
        const text = field !== 'headquarters' && field !== 'country' && factText(field, company)
        return (
          text && (
            <Fact key={field} name={FACT_NAMES[field]}>
              {text}
            </Fact>
          )
        )
      })}
      <Fact name="Office policy">
        {company.policy ? (
          <a href={`${companyPath(company)}?tab=ratings`} className={quietLink}>
            {policyText(company.policy)}
          </a>
        ) : (
          'Not known'
        )}
      </Fact>
      <Fact name="On this site since">{added}</Fact>
      {company.demo && (
        <Fact name="Demo">This company is made up. It’s part of this site’s demo data.</Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint max-sm:mb-[-0.9rem]">{name}</dt>
      <dd dir="auto" className="leading-relaxed">
        {children}
      </dd>
    </>
  )
}

const quietLink = 'underline decoration-line-strong underline-offset-4 hover:text-ink'
