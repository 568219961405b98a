/** A box that finds a company by its name, as a field of a form. */
import { useState } from 'react'
import { Combobox } from '#app/kit/ui/combobox.tsx'
import type { CompanySuggestion } from '../company.contract.ts'
import { SEARCH_MAX_CHARACTERS } from '../company.ts'
import { SEARCH_TEXTS, useCompanyBox } from '../edits/ui/suggestions.tsx'

interface CompanyBoxProps {
  label?: string
  placeholder: string
  onPick: (company: CompanySuggestion) => void
  /** Enter without a company sends the form around the box, too; usually it is for the list alone. */
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
