/** Which company a claim is about. */
import { X } from 'lucide'
import { useEffect, useId, useRef } from 'react'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { CompanySuggestion } from '../../company.contract.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import { CompanyBox } from '../../ui/company-box.tsx'
import { CLAIM_FORM_TEXTS } from '../claim-form-texts.ts'

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
      <legend className="text-sm font-medium text-ink">{CLAIM_FORM_TEXTS.company}</legend>
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
          <CompanyBox
            label={CLAIM_FORM_TEXTS.company}
            placeholder={CLAIM_FORM_TEXTS.companyHint}
            onPick={onPick}
          />
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

/** What is shown and sent of it. */
export type ChosenCompany = Pick<CompanySuggestion, 'id' | 'name' | 'logoUrl'>

interface CompanyChoiceProps {
  company: ChosenCompany | null
  onPick: (company: ChosenCompany | null) => void
  error?: string
}
