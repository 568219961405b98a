/** Members' suggestions, for administrators to decide on. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import type { EditContract } from '../edit-company.contract.ts'
import { suggestedEditsQuery } from '../edit-company.data.ts'
import { SuggestionCard } from './suggestion-card.tsx'

interface SuggestedEditsProps {
  /** Limits them to one company; renders nothing without any. */
  companyId?: string
}

export function SuggestedEdits({ companyId }: SuggestedEditsProps) {
  const api = useApi<EditContract>()
  const { me } = useSession()
  const isAllowed = me?.can.includes('editCompanies') ?? false
  const list = useInfiniteQuery({ ...suggestedEditsQuery(api, companyId), enabled: isAllowed })
  const heading = useRef<HTMLHeadingElement>(null)
  // Keeps the heading, which has the focus, after the last decision.
  const [hasDecided, setDecided] = useState(false)
  const suggestions = list.data?.pages.flatMap((page) => page.suggestions) ?? []
  if (!isAllowed || !list.data || (companyId && suggestions.length === 0 && !hasDecided))
    return null
  return (
    <section aria-labelledby="suggested-edits">
      <h2
        id="suggested-edits"
        ref={heading}
        tabIndex={-1}
        className={cx(
          'font-serif text-2xl font-medium tracking-tight text-ink',
          !companyId && 'md:text-3xl',
        )}
      >
        Suggested changes
      </h2>
      {suggestions.length === 0 &&
        (companyId ? (
          <p className="mt-3 text-ink-soft">No pending suggestions.</p>
        ) : (
          <EmptyState title="Nothing to decide" text="Members’ suggested changes show up here." />
        ))}
      <ul className="mt-4 grid gap-4">
        {suggestions.map((suggestion) => (
          <li key={suggestion.id}>
            <SuggestionCard
              suggestion={suggestion}
              showsCompany={!companyId}
              onDecided={() => {
                setDecided(true)
                heading.current?.focus()
              }}
            />
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="mt-4" />
    </section>
  )
}
