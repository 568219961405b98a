/** Which company a claim is about. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import { useEffect, useId, useRef, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import type { CompanyContract, CompanySuggestion } from '../../companies/company.contract.ts'
import { suggestionsQuery } from '../../companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS } from '../../companies/company.ts'
import { CompanyLogo } from '../../companies/ui/company-logo.tsx'
import { REPRESENT_TEXTS } from '../claim.ts'

/** Spec §9. */
const DEBOUNCE_MS = 150

export function CompanyChoice({ company, onPick, error }: CompanyChoiceProps) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(company)
  useEffect(() => {
    if (shown.current === company) return
    shown.current = company
    // What was pressed is gone, and the focus with it.
    place.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [company])
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="text-sm font-medium text-ink">{REPRESENT_TEXTS.company}</legend>
      <div ref={place} className="mt-1.5">
        {company ? (
          <p className="flex min-h-12 items-center gap-3 rounded-md border border-line bg-surface pr-1 pl-3 text-sm">
            <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
            <span className="min-w-0 flex-1 truncate font-medium text-ink">{company.name}</span>
            <IconButton label={`Not ${company.name}`} onClick={() => onPick(null)}>
              <Icon of={X} />
            </IconButton>
          </p>
        ) : (
          <CompanyBox onPick={onPick} />
        )}
      </div>
      {/* The box is of the search's making, so the error stands beside it. */}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function CompanyBox({ onPick }: Pick<CompanyChoiceProps, 'onPick'>) {
  const api = useApi<CompanyContract>()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const text = useDebounced(wanted, DEBOUNCE_MS)
  const { data, isError } = useQuery(suggestionsQuery(api, text))
  const isIdle = wanted.length < SEARCH_MIN_CHARACTERS || isError
  const isAnswered = text === wanted && data !== undefined
  return (
    <Combobox<CompanySuggestion>
      label={REPRESENT_TEXTS.company}
      placeholder={REPRESENT_TEXTS.companyHint}
      inputValue={typed}
      onInputChange={setTyped}
      items={isIdle ? [] : (data?.companies ?? [])}
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
      status={isIdle ? 'idle' : isAnswered ? 'ready' : 'loading'}
      loadingText="Searching..."
      emptyText="No companies found matching your search."
      onSelect={onPick}
      // Enter in this box is for the list; it must not send the claim.
      onSubmitText={() => {}}
    />
  )
}

interface CompanyChoiceProps {
  company: CompanySuggestion | null
  onPick: (company: CompanySuggestion | null) => void
  error?: string
}
