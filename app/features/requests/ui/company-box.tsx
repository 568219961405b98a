/** Finds the company that a request is linked to. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import type { CompanyContract, CompanySuggestion } from '../../companies/company.contract.ts'
import { suggestionsQuery } from '../../companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS } from '../../companies/company.ts'

/** Spec §9. */
const DEBOUNCE_MS = 150

export function CompanyBox({ onPick }: { onPick: (company: CompanySuggestion) => void }) {
  const api = useApi<CompanyContract>()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const text = useDebounced(wanted, DEBOUNCE_MS)
  const { data, isError } = useQuery(suggestionsQuery(api, text))
  const isIdle = wanted.length < SEARCH_MIN_CHARACTERS || isError
  const isAnswered = text === wanted && data !== undefined
  return (
    <Combobox<CompanySuggestion>
      label="Company to link to"
      placeholder="Which company is meant?"
      inputValue={typed}
      onInputChange={setTyped}
      items={isIdle ? [] : (data?.companies ?? [])}
      itemKey={(company) => company.id}
      itemLabel={(company) => company.name}
      renderItem={(company, name) => (
        <span className="min-w-0 flex-1">
          <span className="block truncate text-ink">{name}</span>
          <span className="block truncate text-xs text-ink-faint">{company.category}</span>
        </span>
      )}
      status={isIdle ? 'idle' : isAnswered ? 'ready' : 'loading'}
      loadingText="Searching..."
      emptyText="No companies found matching your search."
      onSelect={onPick}
      onSubmitText={() => {}}
    />
  )
}
