/** Suggestions while typing. Spec §2.7, §9. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#app/api/client.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Score } from '#app/kit/ui/score.tsx'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import type { CompanyContract, CompanySuggestion } from '../company.contract.ts'
import { suggestionsQuery } from '../company.data.ts'
import { SEARCH_MIN_CHARACTERS, searchedText } from '../company.ts'
import { CompanyLogo } from '../logos/ui/company-logo.tsx'
import { isInName } from '../search/company-match.ts'
import { FoundElsewhere, FoundText } from './found-text.tsx'

export const SEARCH_TEXTS = {
  placeholder: 'Search for a company...',
  search: 'Search',
  searching: 'Searching...',
  nothing: 'No companies found matching your search.',
  request: 'Request a company',
} as const

/** Spec §9. */
export const DEBOUNCE_MS = 150

/** A row with the whole name, the match in bold and where it matched, and the score. */
export const suggestionRow = ({
  name,
  logoUrl,
  category,
  demo,
  rating,
  match,
}: CompanySuggestion) => (
  <>
    <CompanyLogo name={name} logoUrl={logoUrl} className="size-8" />
    <span className="min-w-0 flex-1">
      <span className="block text-ink wrap-anywhere">
        <FoundText text={name} marks={isInName(match) ? match.marks : []} />
      </span>
      <span className="flex items-center gap-2 text-xs text-ink-faint">
        <span className="truncate">
          {isInName(match) ? category : <FoundElsewhere match={match} category={category} />}
        </span>
        {demo && <Badge className="shrink-0">Demo</Badge>}
      </span>
    </span>
    <Score rating={rating} className="shrink-0" />
  </>
)

/** Props that all company boxes give to their Combobox. */
export function useCompanyBox(typed: string) {
  const { companies, status } = useSuggestions(searchedText(typed))
  return {
    items: companies,
    itemKey: (company: CompanySuggestion) => company.id,
    itemLabel: (company: CompanySuggestion) => company.name,
    renderItem: suggestionRow,
    status,
    loadingText: SEARCH_TEXTS.searching,
  }
}

/**
 * Requested once typing pauses, along with the text without its last letter, so deleting a letter gets an
 * immediate answer. An error gives an empty list. Spec §7.2, §8.
 */
export function useSuggestions(typed: string) {
  const api = useApi<CompanyContract>()
  const queryClient = useQueryClient()
  const text = useDebounced(typed, DEBOUNCE_MS)
  const { data, isError } = useQuery(suggestionsQuery(api, text))

  useEffect(() => {
    const prefix = text.slice(0, -1).trim()
    if (prefix.length >= SEARCH_MIN_CHARACTERS)
      queryClient.prefetchQuery(suggestionsQuery(api, prefix))
  }, [api, queryClient, text])

  if (typed.length < SEARCH_MIN_CHARACTERS) return { companies: [], status: 'idle' as const }
  if (isError) return { companies: [], status: 'ready' as const }
  if (text !== typed || !data)
    return { companies: data?.companies ?? [], status: 'loading' as const }
  return { companies: data.companies, status: 'ready' as const }
}
