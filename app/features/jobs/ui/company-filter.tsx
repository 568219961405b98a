/** Narrows the list of jobs to one company, found by its name. Without JavaScript, its page leads here. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { navigate } from '../../../ui/address.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import type { CompanyContract, CompanySuggestion } from '../../companies/company.contract.ts'
import { suggestionsQuery } from '../../companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS } from '../../companies/company.ts'
import { CompanyLogo } from '../../companies/ui/company-logo.tsx'
import { type JobListAddress, jobListHref } from '../job-filters.ts'

/** Spec §9. */
const DEBOUNCE_MS = 150

interface CompanyFilterProps {
  address: JobListAddress
  companyName?: string
}

export function CompanyFilter({ address, companyName }: CompanyFilterProps) {
  const href = (company?: string) => jobListHref({ ...address, after: undefined, company })
  if (!address.company)
    return (
      <div className="no-js:hidden">
        <p aria-hidden="true" className="mb-1.5 text-sm font-medium text-ink">
          Company
        </p>
        <CompanyBox onPick={({ id }) => navigate(href(id))} />
      </div>
    )
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

function CompanyBox({ onPick }: { onPick: (company: CompanySuggestion) => void }) {
  const api = useApi<CompanyContract>()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const text = useDebounced(wanted, DEBOUNCE_MS)
  const { data, isError } = useQuery(suggestionsQuery(api, text))
  const status =
    wanted.length < SEARCH_MIN_CHARACTERS || isError
      ? 'idle'
      : text !== wanted || !data
        ? 'loading'
        : 'ready'
  return (
    <Combobox<CompanySuggestion>
      label="Company"
      placeholder="Any company"
      inputValue={typed}
      onInputChange={setTyped}
      items={status === 'idle' ? [] : (data?.companies ?? [])}
      itemKey={(company) => company.id}
      itemLabel={(company) => company.name}
      renderItem={(company, name) => (
        <>
          <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
          <span className="block min-w-0 flex-1 truncate text-ink">{name}</span>
        </>
      )}
      status={status}
      loadingText="Searching..."
      emptyText="No companies found matching your search."
      onSelect={(company) => {
        setTyped('')
        onPick(company)
      }}
    />
  )
}
