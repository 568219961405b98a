/** Narrows the list of jobs to one company, found by its name. Without JavaScript, its page leads here. */
import { X } from 'lucide'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { CompanyBox } from '#app/companies/ui/company-box.tsx'
import { useSite } from '#app/kit/session/site.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { type JobListAddress, jobListHref } from '../job-list-address.ts'

interface CompanyFilterProps {
  address: JobListAddress
  companyName?: string
}

export function CompanyFilter({ address, companyName }: CompanyFilterProps) {
  const { flags } = useSite()
  const href = (company?: string) => jobListHref({ ...address, after: undefined, company })
  if (!address.company)
    return flags.enableCompanies ? (
      <div className="no-js:hidden">
        <p aria-hidden="true" className="mb-1.5 text-sm font-medium text-ink">
          Company
        </p>
        <CompanyBox
          placeholder="Any company"
          onPick={({ id }) => navigate(href(id))}
          isEnterForForm
        />
      </div>
    ) : null
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-sm font-medium text-ink">Company</p>
      <p className="flex min-h-11 items-center gap-2.5 rounded-md border border-line bg-surface pr-1 pl-2 text-sm md:min-h-10">
        <CompanyLogo name={companyName ?? '?'} logoUrl={null} className="size-7" />
        <span className="min-w-0 flex-1 truncate font-medium text-ink">
          {companyName ?? 'One company'}
        </span>
        <a
          href={href()}
          aria-label={`Not only ${companyName ?? 'this company'}`}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-sunken hover:text-ink"
        >
          <Icon of={X} className="size-4" />
        </a>
      </p>
    </div>
  )
}
