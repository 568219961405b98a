/** Existing companies with a similar name: "Did you mean Toyota?" */
import type { ReactNode } from 'react'
import { companyPath, searchedText } from '../../company.ts'
import { isInName } from '../../search/company-match.ts'
import { useSuggestions } from '../../ui/suggestions.tsx'

const SHOWN = 3

/**
 * `children` gets the links, once there are any. The line is there from the start, so its content is announced and
 * nothing moves.
 */
export function CompaniesLike({ text, onFollow, className, children }: CompaniesLikeProps) {
  const { companies } = useSuggestions(searchedText(text))
  const named = companies.filter(({ match }) => isInName(match)).slice(0, SHOWN)
  return (
    <p role="status" className={className}>
      {named.length > 0 &&
        children(
          named.map((company, index) => (
            <span key={company.id}>
              {index === 0 ? '' : index === named.length - 1 ? ' or ' : ', '}
              <a
                href={companyPath(company)}
                dir="auto"
                onClick={onFollow}
                className="font-medium text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
              >
                {company.name}
              </a>
            </span>
          )),
        )}
    </p>
  )
}

interface CompaniesLikeProps {
  text: string
  onFollow?: () => void
  className?: string
  children: (links: ReactNode) => ReactNode
}
