/** A field for an optional company, or for a required one with `legend`. */
import { X } from 'lucide'
import { useState } from 'react'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Combobox } from '#app/kit/ui/combobox.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CompanySuggestion } from '../company.contract.ts'
import { SEARCH_MAX_CHARACTERS } from '../company.ts'
import { CompanyLogo } from '../logos/ui/company-logo.tsx'
import { SEARCH_TEXTS, useCompanyBox } from './suggestions.tsx'

export interface PickedCompany {
  id: string
  name: string
}

export function CompanyPicker({
  company,
  isLoading,
  onPick,
  legend,
  placeholder = 'Which company is it about?',
}: CompanyPickerProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium text-ink">
        {legend ?? (
          <>
            Company <span className="font-normal text-ink-faint">(optional)</span>
          </>
        )}
      </legend>
      <div className="mt-1.5">
        {isLoading ? (
          <Skeleton className="h-12 w-full" />
        ) : company ? (
          <p className="flex min-h-12 items-center gap-3 rounded-md border border-line bg-surface pr-1 pl-3 text-sm">
            <CompanyLogo name={company.name} logoUrl={null} className="size-8" />
            <span className="min-w-0 flex-1 truncate font-medium text-ink">{company.name}</span>
            <IconButton
              label={legend ? `Not ${company.name}` : `Not about ${company.name}`}
              onClick={() => onPick(null)}
            >
              <Icon of={X} />
            </IconButton>
          </p>
        ) : (
          <CompanyBox
            label={legend}
            placeholder={placeholder}
            onPick={({ id, name }) => onPick({ id, name })}
          />
        )}
      </div>
    </fieldset>
  )
}

interface CompanyPickerProps {
  company: PickedCompany | null
  isLoading: boolean
  onPick: (company: PickedCompany | null) => void
  /** The question, if a company is required. */
  legend?: string
  placeholder?: string
}

/** A search box for one company, as a form field. */
interface CompanyBoxProps {
  label?: string
  placeholder: string
  onPick: (company: CompanySuggestion) => void
  /** Whether Enter submits the surrounding form if nothing is chosen. By default, it does nothing. */
  isEnterForForm?: boolean
}

export function CompanyBox({ label = 'Company', placeholder, ...props }: CompanyBoxProps) {
  const [typed, setTyped] = useState('')
  const found = useCompanyBox(typed)
  return (
    <Combobox<CompanySuggestion>
      label={label}
      placeholder={placeholder}
      maxLength={SEARCH_MAX_CHARACTERS}
      inputValue={typed}
      onInputChange={setTyped}
      {...found}
      emptyText={SEARCH_TEXTS.nothing}
      onSelect={(company) => {
        setTyped('')
        props.onPick(company)
      }}
      onSubmitText={props.isEnterForForm ? undefined : () => {}}
    />
  )
}
