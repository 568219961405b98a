/** Which company a thread is about, if it is about one. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import type { CompanyContract, CompanySuggestion } from '../../companies/company.contract.ts'
import { suggestionsQuery } from '../../companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS } from '../../companies/company.ts'
import { CompanyLogo } from '../../companies/ui/company-logo.tsx'

/** Spec §9. */
const DEBOUNCE_MS = 150

export interface PickedCompany {
  id: string
  name: string
}

export function CompanyPicker({ company, isLoading, onPick }: CompanyPickerProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium text-ink">
        Company <span className="font-normal text-ink-faint">(optional)</span>
      </legend>
      <div className="mt-1.5">
        {isLoading ? (
          <Skeleton className="h-12 w-full" />
        ) : company ? (
          <p className="flex min-h-12 items-center gap-3 rounded-md border border-line bg-surface pr-1 pl-3 text-sm">
            <CompanyLogo name={company.name} logoUrl={null} className="size-8" />
            <span className="min-w-0 flex-1 truncate font-medium text-ink">{company.name}</span>
            <IconButton label={`Not about ${company.name}`} onClick={() => onPick(null)}>
              <Icon of={X} />
            </IconButton>
          </p>
        ) : (
          <CompanyBox onPick={onPick} />
        )}
      </div>
    </fieldset>
  )
}

function CompanyBox({ onPick }: Pick<CompanyPickerProps, 'onPick'>) {
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
      placeholder="Which company is it about?"
      inputValue={typed}
      onInputChange={setTyped}
      items={status === 'idle' ? [] : (data?.companies ?? [])}
      itemKey={(company) => company.id}
      itemLabel={(company) => company.name}
      renderItem={(company, name) => (
        <>
          <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-ink">{name}</span>
            <span className="block truncate text-xs text-ink-faint">{company.category}</span>
          </span>
        </>
      )}
      status={status}
      loadingText="Searching..."
      emptyText="No companies found matching your search."
      onSelect={({ id, name }) => onPick({ id, name })}
      // Enter in this box is for the list; it must not post the thread.
      onSubmitText={() => {}}
    />
  )
}

interface CompanyPickerProps {
  company: PickedCompany | null
  isLoading: boolean
  onPick: (company: PickedCompany | null) => void
}
