import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import type { RatingContract } from '#app/ratings/rating.contract.ts'
import { ratingsQuery } from '#app/ratings/rating.data.ts'
import { wantsToRate } from '#app/ratings/ui/rate-link.tsx'
import { RatingsTab } from '#app/ratings/ui/ratings-tab.tsx'
import { PolicyFacts } from './ui/policy-facts.tsx'

export default function CompanyRatings({ company }: { company: CompanyPageView }) {
  return (
    <>
      <OfficeDays company={company} />
      <RatingsTab company={{ id: company.id, name: company.name, path: companyPath(company) }} />
    </>
  )
}

/** The official policy next to what raters say. Hidden above the rating form. */
function OfficeDays({ company }: { company: CompanyPageView }) {
  const api = useApi<RatingContract>()
  const { search } = useAddress()
  // The tab fetches it.
  const { data } = useQuery({ ...ratingsQuery(api, company.id), enabled: false })
  const officeDays = data?.officeDays ?? null
  if (!data || wantsToRate(search) || (!company.policy && !officeDays)) return null
  return (
    <section aria-labelledby="office-days" className="mb-10">
      <h2 id="office-days" className="mb-4 font-serif text-2xl font-medium tracking-tight">
        Days in the office
      </h2>
      <PolicyFacts company={company} officeDays={officeDays} />
    </section>
  )
}
