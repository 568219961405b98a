/** A search box for one company, as a form field. */
import { useState } from 'react'
import { Combobox } from '#app/kit/ui/combobox.tsx'
import type { CompanySuggestion } from '../company.contract.ts'
import { SEARCH_MAX_CHARACTERS } from '../company.ts'
import { SEARCH_TEXTS, useCompanyBox } from '../edits/ui/suggestions.tsx'

interface CompanyBoxProps {
  label?: string
  placeholder: string
  onPick: (company: CompanySuggestion) => void
  /** Enter without a choice submits the surrounding form; by default it does nothing. */
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
