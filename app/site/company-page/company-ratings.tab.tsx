import { useQuery } from '@tanstack/react-query'
import { CalendarDays, ExternalLink } from 'lucide'
import { useApi } from '#app/api/client.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import {
  daysText,
  type OfficeDays,
  type Policy,
  policyDifference,
  policyText,
} from '#app/companies/edits/company-policy.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { RatingContract } from '#app/ratings/rating.contract.ts'
import { ratingsQuery } from '#app/ratings/rating.data.ts'
import { wantsToRate } from '#app/ratings/ui/rate-link.tsx'
import { RatingsTab } from '#app/ratings/ui/ratings-tab.tsx'
import { BeforeYouSign } from './ui/before-you-sign.tsx'

export default function CompanyRatings({ company }: { company: CompanyPageView }) {
  return (
    <>
      <CompanyOfficeDays company={company} />
      <RatingsTab company={{ id: company.id, name: company.name, path: companyPath(company) }}>
        <BeforeYouSign company={company} />
      </RatingsTab>
    </>
  )
}

/** The official policy next to what raters say. Hidden above the rating form. */
function CompanyOfficeDays({ company }: { company: CompanyPageView }) {
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

interface PolicyFactsProps {
  company: Pick<CompanyPageView, 'name' | 'policy' | 'policyHistory'>
  /** Null if too few raters gave their office days. */
  officeDays: OfficeDays | null
}

function PolicyFacts({ company, officeDays }: PolicyFactsProps) {
  const { policy, policyHistory } = company
  const earlier = policyHistory.slice(1)
  return (
    <div className="grid gap-3">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Fact name="What the company says">
          {policy ? (
            <>
              {policyText(policy)}
              <PolicyNotes policy={policy} />
            </>
          ) : (
            <span className="text-ink-faint">Not added yet</span>
          )}
        </Fact>
        <Fact name="Days people actually go in">
          {officeDays ? (
            <>
              {`${daysText(officeDays.mean)} a week`}
              <span className="mt-1 block text-sm text-ink-faint">
                {`According to ${officeDays.ratings} people`}
              </span>
            </>
          ) : (
            <span className="text-ink-faint">Not enough ratings yet</span>
          )}
        </Fact>
      </dl>
      {policy && officeDays && (
        <p className="flex items-start gap-2.5 text-sm leading-6 text-ink-soft">
          <Icon of={CalendarDays} className="mt-1 size-4 shrink-0 text-tea" />
          {`${policyDifference(policy, officeDays)}.`}
        </p>
      )}
      {earlier.length > 0 && (
        <details className="text-sm">
          <summary className="inline-flex min-h-8 items-center text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink">
            Earlier policies
          </summary>
          <ul className="mt-2 grid gap-2 border-l-2 border-line pl-4">
            {earlier.map((policy, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the top
              <li key={earlier.length - i}>
                {policyText(policy)}
                <PolicyNotes policy={policy} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function PolicyNotes({ policy: { since, source } }: { policy: Policy }) {
  if (!since && !source) return null
  return (
    <span className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-faint">
      {since && `Since ${dateText(since)}`}
      {source && (
        <a
          href={source}
          rel="noopener nofollow"
          className="inline-flex items-center gap-1.5 text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          {`Source: ${hostOf(source)}`}
          <Icon of={ExternalLink} className="size-3.5" />
        </a>
      )}
    </span>
  )
}

const hostOf = (address: string) =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="text-sm text-ink-faint">{name}</dt>
      <dd className="mt-1 leading-6">{children}</dd>
    </div>
  )
}
