/** Companies of this site whose names are like a text: "Did you mean Toyota?" */
import type { ReactNode } from 'react'
import { companyPath, searchedText } from '../../company.ts'
import { isInName } from '../../search/company-match.ts'
import { useSuggestions } from './suggestions.tsx'

const SHOWN = 3

/**
 * `children` is handed the links, once there are any. Asked for in the browser alone, and the line stands there
 * from the start: what appears in it is announced, and moves nothing.
 */
export function CompaniesLike({ text, onFollow, className, children }: CompaniesLikeProps) {
  const { companies } = useSuggestions(searchedText(text))
  const named = companies.filter(({ match }) => isInName(match)).slice(0, SHOWN)
  return (
    <p role="status" className={className}>
      {named.length > 0 &&
        children(
          named.map((company, nth) => (
            <span key={company.id}>
              {nth === 0 ? '' : nth === named.length - 1 ? ' or ' : ', '}
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
