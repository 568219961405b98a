/** Spec §2.7, §9. */
import { useState } from 'react'
import type { CompanySuggestion } from '#app/companies/company.contract.ts'
import { companyPath, SEARCH_MAX_CHARACTERS, searchedText } from '#app/companies/company.ts'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { SEARCH_TEXTS, useCompanyBox } from '#app/companies/ui/suggestions.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Combobox } from '#app/kit/ui/combobox.tsx'

interface CompanySearchProps {
  size?: 'md' | 'lg'
  text?: string
  className?: string
}

/** Choosing a company opens its page. The Search button goes to /companies?search={text}. */
export function CompanySearch({ size = 'md', text = '', className }: CompanySearchProps) {
  const [typed, setTyped] = useState(text)
  // The URL may change through "back" or a search elsewhere.
  const [shownFor, setShownFor] = useState(text)
  if (shownFor !== text) {
    setShownFor(text)
    setTyped(text)
  }
  const found = useCompanyBox(typed)
  const [isRequestOpen, setRequestOpen] = useState(false)

  return (
    <>
      <Combobox<CompanySuggestion>
        size={size}
        className={className}
        label="Search companies"
        placeholder={SEARCH_TEXTS.placeholder}
        name="search"
        maxLength={SEARCH_MAX_CHARACTERS}
        action="/companies"
        inputValue={typed}
        onInputChange={setTyped}
        {...found}
        emptyText={
          <>
            {`${SEARCH_TEXTS.nothing} `}
            <Button
              variant="link"
              size="sm"
              {...RequestDialog.preload}
              // Keeps the focus in the box, so this notice stays until the press registers.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setRequestOpen(true)}
            >
              {SEARCH_TEXTS.request}
            </Button>
          </>
        }
        onSelect={(company) => {
          setTyped('')
          navigate(companyPath(company))
        }}
        onSubmitText={(search) => navigate(searchAddress(search))}
        submitButton={
          <Button type="submit" size={size} variant={size === 'lg' ? 'primary' : 'secondary'}>
            {SEARCH_TEXTS.search}
          </Button>
        }
      />
      <RequestDialog
        open={isRequestOpen}
        onOpenChange={setRequestOpen}
        companyName={typed.trim()}
      />
    </>
  )
}

export const searchAddress = (text: string) => {
  const search = searchedText(text)
  return search ? `/companies?${new URLSearchParams({ search })}` : '/companies'
}
